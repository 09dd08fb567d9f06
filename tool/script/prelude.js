// This function defines print, call and the methods for a script, and removes the functions of the
// host, so that the script cannot reach them. It also switches off the functions that make code from
// a text: a script may have read the text, and nobody has approved it. names are the full names of
// the methods. texts are the error texts in the language of the model, with %s in place of a value.
// The function that it returns runs the script ("run", body), or settles the promise of a call
// ("settle", id, text, failed).
function (names, texts) {
  "use strict";
  const {hostPrint, hostCall, hostEnd} = globalThis;
  for (const name of ["hostPrint", "hostCall", "hostEnd"]) delete globalThis[name];
  const {stringify} = JSON; // a script may replace JSON.stringify
  const methods = new Set(names);
  const waiting = new Map();
  let lastID = 0;

  const say = (text, value) => text.replace("%s", () => value);
  const show = (value) => {
    if (typeof value === "string") return value;
    if (value instanceof Error) return String(value);
    const json = stringify(value);
    return json === undefined ? String(value) : json;
  };
  const print = (...values) => { hostPrint(values.map(show).join(" ") + "\n"); };
  const call = (name, input = {}) => new Promise((resolve, reject) => {
    if (!methods.has(name)) throw new TypeError(say(texts.noMethod, show(name)));
    if (input === null || typeof input !== "object" || Array.isArray(input)) {
      throw new TypeError(say(texts.takesObject, name));
    }
    const id = ++lastID;
    waiting.set(id, {resolve, reject});
    hostCall(id, name, stringify(input));
  });

  // noCode returns a function that refuses to make code, to replace the function called name. If that
  // function is the constructor of prototype, noCode also replaces it there.
  const noCode = (name, prototype) => {
    const refuse = function () { throw new TypeError(say(texts.noCode, name)); };
    if (prototype === undefined) return refuse;
    Object.defineProperty(refuse, "name", {value: name});
    Object.defineProperty(refuse, "prototype", {value: prototype});
    Object.defineProperty(prototype, "constructor", {value: refuse});
    return refuse;
  };
  globalThis.eval = noCode("eval");
  globalThis.Function = noCode("Function", Function.prototype);
  for (const f of [async function () {}, function* () {}, async function* () {}]) {
    const prototype = Object.getPrototypeOf(f);
    noCode(prototype.constructor.name, prototype);
  }

  globalThis.print = print;
  globalThis.console = {log: print, info: print, warn: print, error: print};
  globalThis.call = call;
  for (const name of names) {
    const identifier = name.replace(/[^\p{ID_Continue}$]/gu, "_");
    if (!(identifier in globalThis)) globalThis[identifier] = (input) => call(name, input);
  }

  return (action, ...args) => {
    if (action === "settle") {
      const [id, text, failed] = args;
      const {resolve, reject} = waiting.get(id);
      waiting.delete(id);
      if (failed) reject(new Error(text)); else resolve(text);
      return;
    }
    args[0]().then(
      (value) => { if (value !== undefined) print(value); hostEnd(); },
      (error) => {
        if (error instanceof Error) hostEnd(String(error), String(error.stack));
        else hostEnd(say(texts.threw, show(error)), "");
      },
    ).catch((error) => { hostEnd(String(error), ""); });
  };
}
