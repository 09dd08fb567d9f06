// Calls an MCP server with the client of @modelcontextprotocol/sdk, and prints what it sees as JSON:
//   node client.mjs URL
//   node client.mjs PROGRAM ARGUMENT...
// It answers each question of the server with "allow".
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const [target, ...args] = process.argv.slice(2);
const transport = target.startsWith("http")
  ? new StreamableHTTPClientTransport(new URL(target))
  : new StdioClientTransport({ command: target, args, env: process.env });

const questions = [];
const client = new Client({ name: "client.mjs", version: "1" }, { capabilities: { elicitation: {} } });
client.setRequestHandler(ElicitRequestSchema, (request) => {
  questions.push(request.params.message);
  return { action: "accept", content: { decision: "allow" } };
});
await client.connect(transport);
const { tools } = await client.listTools();
const call = async (name, args) => {
  const result = await client.callTool({ name, arguments: args });
  return { text: result.content[0].text, failed: Boolean(result.isError) };
};
const seen = {
  server: client.getServerVersion().name,
  tools: tools.map((tool) => tool.name),
  good: await call("calculator_evaluate", { expression: "6*7" }),
  bad: await call("calculator_evaluate", { expresion: 1, other: [2] }),
  questions,
};
await client.close();
console.log(JSON.stringify(seen));
