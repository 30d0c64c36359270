// Splits the module in two: what the first view runs, and the rest, which the calculator brings when it is first opened.
//
// A function of the rest keeps its place in the first module as a jump through a slot of the table, empty until the second
// module is there and fills it; the second module imports what it calls of the first, and shares its memory. So nothing that is
// stored in memory, and no call by a pointer, knows of the split. What may go is told by name: the functions that nothing but
// `ENTRIES` leads to. Calling one before the rest is there traps; src/ui/rest.rs sees to it that none is. What only they have in
// memory from the start comes with them, to its place.

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

/** The two modules as text, of one as text and the pieces of its data. */
export function split(wat, data) {
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
  const bodies = (names) => [...names].map((name) => functions.get(name)?.text ?? "");
  const [ofFirst, ofRest] = [bodies(first), bodies(rest)].map((texts) => used(data, texts));
  const firstText = one.map((form) => {
    if (form === table) return larger(form.text);
    if (form.kind === "data") return segment(form, data.pieces.filter((piece) => !ofFirst.has(piece)));
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
    ...brought(of("data"), data.pieces, (piece) => ofRest.has(piece) && !ofFirst.has(piece)),
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

/** The pieces of data that functions use, and those that these lead to. */
function used(data, texts) {
  const all = new Set();
  const waiting = texts.flatMap((text) => [...text.matchAll(/(?:i32\.const |offset=)(\d+)/g)].flatMap(([, address]) => data.around(Number(address))));
  while (waiting.length > 0) {
    const piece = waiting.pop();
    if (all.has(piece)) continue;
    all.add(piece);
    waiting.push(...piece.uses);
  }
  return all;
}

/** A segment of data with zeros in place of pieces. */
function segment(form, without) {
  const [, head, start, text] = /^( ?\(data .*?\(i32\.const (\d+)\) )"(.*)"\)$/s.exec(form.text);
  const bytes = unescaped(text);
  for (const piece of without) if (piece.start >= start && piece.end <= +start + bytes.length) bytes.fill(0, piece.start - start, piece.end - start);
  return `${head}"${escaped(bytes)}")`;
}

/** Segments for some of the pieces of data; those that follow on each other make one. */
function brought(forms, pieces, wanted) {
  const runs = [];
  pieces.forEach((piece, place) => {
    if (!wanted(piece)) return;
    // Between two there is only what makes the next one's address even.
    if (place > 0 && wanted(pieces[place - 1]) && piece.start - runs.at(-1).end < 16) runs.at(-1).end = piece.end;
    else runs.push({ start: piece.start, end: piece.end });
  });
  return forms.flatMap((form) => {
    const [, from, text] = /\(i32\.const (\d+)\) "(.*)"\)$/s.exec(form.text);
    const bytes = unescaped(text);
    const inside = runs.filter((run) => run.start >= from && run.end <= +from + bytes.length);
    return inside.map(({ start, end }) => ` (data (i32.const ${start}) "${escaped(bytes.subarray(start - from, end - from))}")`);
  });
}

const SIGNS = { t: 9, n: 10, r: 13, '"': 34, "'": 39, "\\": 92 };
const unescaped = (text) =>
  Buffer.from([...text.matchAll(/\\([0-9a-f]{2})|\\(.)|([^\\])/gs)].map(([, hex, sign, plain]) => (hex ? parseInt(hex, 16) : sign ? SIGNS[sign] : plain.charCodeAt(0))));
const escaped = (bytes) => bytes.toString("hex").replace(/../g, "\\$&");

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
