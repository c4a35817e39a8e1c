// Serves one small model by chat completions on 127.0.0.1: node demo-model-server.mjs PACKAGES MODEL.gguf NAME
// PACKAGES is the folder that holds node_modules. Prints its port, answers one request at a time, keeps nothing between two.
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [packages, path, name] = process.argv.slice(2);
const entry = createRequire(join(packages, "package.json")).resolve("node-llama-cpp");
const { getLlama, LlamaChatSession } = await import(pathToFileURL(entry));
const llama = await getLlama({ gpu: false, build: "never", maxThreads: 1, logLevel: "error" });
const model = await llama.loadModel({ modelPath: path });
const context = await model.createContext({ contextSize: 2048, threads: 1 });
const sequence = context.getSequence();

async function answer({ messages, max_tokens, max_completion_tokens, temperature = 1, top_p, seed }, onTextChunk) {
  await sequence.clearHistory();
  const said = (role) => messages.filter((message) => message.role === role).map((message) => message.content);
  const session = new LlamaChatSession({ contextSequence: sequence, systemPrompt: said("system").join("\n") || undefined });
  const before = sequence.tokenMeter.getState();
  const maxTokens = max_completion_tokens ?? max_tokens;
  const options = { maxTokens, temperature, topP: top_p, seed, repeatPenalty: false, onTextChunk };
  const { responseText, stopReason } = await session.promptWithMeta(said("user").join("\n"), options);
  session.dispose({ disposeSequence: false });
  const { usedInputTokens, usedOutputTokens } = sequence.tokenMeter.diff(before);
  return {
    text: responseText,
    finish_reason: stopReason === "maxTokens" ? "length" : "stop",
    usage: { prompt_tokens: usedInputTokens, completion_tokens: usedOutputTokens },
  };
}

const head = { id: "chatcmpl-1", created: 0, model: name };
const whole = ({ text, finish_reason, usage }) => {
  const choice = { index: 0, message: { role: "assistant", content: text }, finish_reason };
  return { ...head, object: "chat.completion", choices: [choice], usage };
};

async function stream(question, response) {
  const chunk = (more) => response.write(`data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", ...more })}\n\n`);
  const part = (delta, finish_reason = null) => chunk({ choices: [{ index: 0, delta, finish_reason }] });
  response.writeHead(200, { "content-type": "text/event-stream" });
  const { finish_reason, usage } = await answer(question, (content) => part({ content }));
  part({}, finish_reason);
  chunk({ choices: [], usage });
  response.end("data: [DONE]\n\n");
}

let last = Promise.resolve();
const server = createServer(async (request, response) => {
  const send = (status, body) => response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  if (request.url === "/v1/models") return send(200, { object: "list", data: [{ id: name, object: "model" }] });
  const parts = [];
  for await (const part of request) parts.push(part);
  last = last.then(async () => {
    const question = JSON.parse(Buffer.concat(parts));
    if (question.stream) await stream(question, response);
    else send(200, whole(await answer(question)));
  }).catch((error) => {
    if (response.headersSent) response.destroy(); // half an answer must look like one
    else send(500, { error: { message: String(error) } });
  });
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
