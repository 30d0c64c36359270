// Splits the module in two: what the first view runs, and the rest, which the calculator brings when it is first opened.
//
// A function of the rest keeps its place in the first module as a jump through a slot of the table, empty until the second
// module is there and fills it; the second module imports what it calls of the first, and shares its memory. So nothing that is
// stored in memory, and no call by a pointer, knows of the split. What may go is told by name: the functions that nothing but
// `BEGINS` leads to. Calling one before the rest is there traps; src/ui/rest.rs sees to it that none is.

// The functions through which the rest is entered.
const ENTRIES = [
  /ui::calculator::panel::body$/,
  /ui::calculator::sizer::Result>::of$/,
  /ui::calculator::share::(read|before_change|after_change)$/,
  /ui::files::Job>::model$/,
  /vramfit::files::of_model$/,
];
// Functions that are called by pointer, and only by what the rest has made: the closures of these modules.
const CLOSURES = [
  /ui::calculator::(?!sizer|share|from_paste|names|panel)\w+::/,
  /ui::calculator::(panel::(body|inputs)|share::(notes|copy_link|after_change)|from_paste::(from_paste|fill))::/,
  // What a link says of a scenario; what it tells to one, the reading of pastes uses.
  /scenario::link::KEYS::\{closure#\d+\} as .*FnOnce<\(&vramfit::scenario::Scenario,\)>/,
  /ui::files::Job>::model::/,
  /ui::components::(picker|number_field|select_field)::/,
];

const NAME = /\$(?:"(?:[^"\\]|\\.)*"|[^\s()]+)/;
const CALLS = new RegExp(`\\((?:call|return_call|ref\\.func) (${NAME.source})`, "g");

/** The two modules as text, of one as text. */
export function split(wat) {
  const forms = topLevel(wat);
  const of = (kind) => forms.filter((form) => form.kind === kind);
  const functions = new Map(of("func").map((form) => [form.name, form]));
  const inTable = of("elem").flatMap((form) => form.text.slice(form.text.indexOf(" func ")).match(new RegExp(NAME, "g")) ?? []);
  const is = (patterns) => (name) => patterns.some((pattern) => pattern.test(name.replace(/\[\w{16}\]/g, "").replaceAll('"', "")));
  const [isEntry, isClosure] = [is(ENTRIES), is(CLOSURES)];

  // What the first view may run: all that is reached without passing an entry or a closure of the rest.
  const first = new Set();
  const exported = of("export").flatMap((form) => form.text.match(/\(func (.*)\)\)\s*$/)?.[1] ?? []);
  const started = of("start").map((form) => form.text.match(NAME)[0]);
  const waiting = [...exported, ...started, ...inTable.filter((name) => !isEntry(name) && !isClosure(name))];
  while (waiting.length > 0) {
    const name = waiting.pop();
    if (first.has(name) || !functions.has(name)) continue;
    first.add(name);
    waiting.push(...callees(functions.get(name)).filter((callee) => !isEntry(callee)));
  }
  const rest = [...functions.keys()].filter((name) => !first.has(name));
  const isRest = new Set(rest);

  // Those of the rest that the first module names: by a call, or in the table.
  const named = new Set(inTable.filter((name) => isRest.has(name)));
  for (const name of first) for (const callee of callees(functions.get(name))) if (isRest.has(callee)) named.add(callee);
  const slots = [...named];

  const table = of("table").find((form) => form.text.includes("funcref"));
  const [, tableName, size] = table.text.match(/\(table (\S+) (\d+)/);
  const slot = new Map(slots.map((name, at) => [name, Number(size) + at]));
  const larger = (text) => text.replace(/\(table (\S+) \d+(?: \d+)? funcref/, `(table $1 ${Number(size) + slots.length} funcref`);

  const one = forms.filter((form) => form.kind !== "func" || !isRest.has(form.name) || slot.has(form.name));
  const firstText = one.map((form) => {
    if (form === table) return larger(form.text);
    return form.kind === "func" && slot.has(form.name) ? jump(form, slot.get(form.name), tableName) : form.text;
  });
  const shared = [...of("memory"), ...of("table"), ...of("global"), ...of("func").filter((form) => !isRest.has(form.name))];
  const imported = of("import").filter((form) => form.text.includes("(func "));
  const short = new Map([...imported, ...shared].map((form, at) => [form, `~${at.toString(36)}`]));
  const secondText = [
    ...of("type").map((form) => form.text),
    ...[...imported, ...shared].map((form) => ` (import "~" "${short.get(form)}" ${form === table ? larger(declared(form)) : declared(form)})`),
    ` (elem (table ${tableName}) (i32.const ${size}) func ${slots.join(" ")})`,
    ...rest.map((name) => functions.get(name).text),
  ];
  return {
    second: module(secondText),
    /** The first module with those exports that the second one, once optimised, still asks for. */
    exporting(asked) {
      const exports = [...short].filter(([, name]) => asked.has(name)).map(([form, name]) => ` (export "${name}" (${form.kind === "import" ? "func" : form.kind} ${form.name}))`);
      return module([...firstText, ...exports]);
    },
    functions: rest.length,
    slots: slots.length,
  };
}

const module = (forms) => `(module\n${forms.join("\n")}\n)\n`;

const callees = (form) => (form.callees ??= [...form.text.matchAll(CALLS)].map((match) => match[1]));

/** The module's forms, each with its kind and its name. binaryen indents them by one space, and nothing else. */
function topLevel(wat) {
  const body = wat.slice(wat.indexOf("\n") + 1, wat.lastIndexOf(")"));
  return body.split(/\n(?= \()/).map((text) => {
    const kind = /^ ?\((\w+)/.exec(text)?.[1];
    const head = kind === "import" ? text.slice(text.indexOf("(", 3)) : text;
    return { kind, text, name: NAME.exec(head)?.[0] };
  });
}

/** The types of a function's parameters and results, as they stand in its head. */
function signature(text) {
  const head = text.slice(text.indexOf("(func")).split("\n")[0].replace(NAME, "");
  const types = (word) => [...head.matchAll(new RegExp(`\\(${word} (?:\\$\\S+ )?([^)]*)\\)`, "g"))].flatMap((match) => match[1].split(" "));
  return { params: types("param"), results: types("result") };
}

const typed = ({ params, results }) =>
  [params.length ? `(param ${params.join(" ")})` : "", results.length ? `(result ${results.join(" ")})` : ""].join(" ");

/** A function that calls what stands in a slot of the table. */
function jump(form, slot, table) {
  const types = signature(form.text);
  const values = types.params.map((_, at) => `(local.get ${at})`).join(" ");
  return ` (func ${form.name} ${typed(types)} (call_indirect ${table} ${typed(types)} ${values} (i32.const ${slot})))`;
}

/** A form as an import declares it. */
function declared(form) {
  const { kind, text, name } = form;
  if (kind === "import") return text.slice(text.indexOf("(func"), text.lastIndexOf(")"));
  if (kind === "func") return `(func ${name} ${typed(signature(text))})`;
  if (kind === "global") return `(global ${name} ${/\(mut \w+\)|\b[if]\d\d\b/.exec(text.slice(text.indexOf(name) + name.length))[0]})`;
  return text.trim();
}
