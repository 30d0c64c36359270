// Splits the module in two: what the first view runs, and the rest, which the calculator brings when it is first opened.
//
// What the first module calls of the rest by name is a jump through a slot of the table; that slot, and the places in the table that
// functions of the rest have, stay empty until the second module is there and fills them. It imports what it calls of the first, and
// shares its memory. So nothing that is stored in memory, and no call by a pointer, knows of the split. What goes is all that nothing
// but `ENTRIES` and `CLOSURES` lead to. Calling one before the rest is there traps; src/ui/rest.rs sees to it that none is. What only
// they have in memory from the start comes with them, to its place.

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
export function split(wat, data, pointers) {
  const all = topLevel(wat);
  // By name, functions that are alike stand side by side, where they compress best.
  const byName = all.filter(({ kind }) => kind === "func").sort((one, other) => (plain(one.name) < plain(other.name) ? -1 : 1));
  const forms = [...all.filter(({ kind }) => kind !== "func"), ...byName];
  const of = (kind) => forms.filter((form) => form.kind === kind);
  const functions = new Map(of("func").map((form) => [form.name, form]));
  const elements = of("elem").find((form) => form.text.includes(" func "));
  const inTable = elements.text.slice(elements.text.indexOf(" func ")).match(new RegExp(NAME, "g"));
  const tableBegins = Number(/\(i32\.const (\d+)\)/.exec(elements.text)[1]);
  const is = (patterns) => (name) => patterns.some((pattern) => pattern.test(plain(name)));
  const [isEntry, isClosure] = [is(ENTRIES), is(CLOSURES)];

  const exported = of("export").flatMap((form) => form.text.match(/\(func (.*)\)\)\s*$/)?.[1] ?? []);
  const started = of("start").map((form) => form.text.match(NAME)[0]);
  /** The functions and the pieces of data that functions lead to. A small constant may be a function's place in the table. */
  const reached = (names, called, pointed) => {
    const found = new Set();
    const waiting = [...names];
    const point = (place) => waiting.push(...[inTable[place - tableBegins]].filter((name) => name && pointed(name)));
    while (waiting.length > 0) {
      const one = waiting.pop();
      if (found.has(one)) continue;
      found.add(one);
      if (typeof one === "object") {
        waiting.push(...one.uses);
        one.calls.forEach(point);
      } else if (functions.has(one)) {
        const form = functions.get(one);
        waiting.push(...callees(form).filter(called));
        for (const constant of constants(form)) {
          waiting.push(...data.around(constant));
          if (pointers.has(constant)) point(constant);
        }
      }
    }
    return found;
  };
  // What the first view may run and find in memory: all that is reached without passing an entry or a closure of the rest.
  const isFirst = (name) => !isEntry(name);
  const ofFirst = reached([...exported, ...started], isFirst, (name) => isFirst(name) && !isClosure(name));
  const first = new Set([...ofFirst].filter((one) => functions.has(one)));
  const rest = [...functions.keys()].filter((name) => !first.has(name));
  const isRest = new Set(rest);

  // Those of the rest that the first module calls by name go by a slot of their own; those in the table keep their places there.
  const slots = [...new Set([...first].flatMap((name) => callees(functions.get(name)).filter((callee) => isRest.has(callee))))];

  const table = of("table").find((form) => form.text.includes("funcref"));
  const [, tableName, size] = table.text.match(/\(table (\S+) (\d+)/);
  const slot = new Map(slots.map((name, at) => [name, Number(size) + at]));
  const larger = (text) => text.replace(/\(table (\S+) \d+(?: \d+)? funcref/, `(table $1 ${Number(size) + slots.length} funcref`);

  const one = forms.filter((form) => form.kind !== "func" || !isRest.has(form.name) || slot.has(form.name));
  const ofRest = reached(rest, (name) => isRest.has(name), (name) => isRest.has(name));
  const firstText = one.map((form) => {
    if (form === table) return larger(form.text);
    if (form === elements) return ` (elem (table ${tableName}) (i32.const ${tableBegins}) func ${inTable.map((name) => (isRest.has(name) ? ABSENT : name)).join(" ")})`;
    if (form.kind === "data") return segment(form, data.pieces.filter((piece) => !ofFirst.has(piece)));
    return form.kind === "func" && slot.has(form.name) ? jump(form, slot.get(form.name), tableName) : form.text;
  });
  firstText.push(` (func ${ABSENT} (unreachable))`);
  const shared = [...of("memory"), ...of("table"), ...of("global"), ...of("func").filter((form) => !isRest.has(form.name))];
  const imported = of("import").filter((form) => form.text.includes("(func "));
  const short = new Map([...imported, ...shared].map((form, at) => [form, `~${at.toString(36)}`]));
  const secondText = [
    ...of("type").map((form) => form.text),
    ...[...imported, ...shared].map((form) => ` (import "~" "${short.get(form)}" ${form === table ? larger(declared(form)) : declared(form)})`),
    ` (elem (table ${tableName}) (i32.const ${size}) func ${slots.join(" ")})`,
    ...runs(inTable, isRest).map(([at, names]) => ` (elem (table ${tableName}) (i32.const ${tableBegins + at}) func ${names.join(" ")})`),
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

// What stands in the table where a function of the rest will.
const ABSENT = "$absent";

/** The names of a set in a list, in runs, each behind the place where it begins. */
function runs(list, wanted) {
  const found = [];
  list.forEach((name, at) => {
    if (!wanted.has(name)) return;
    const last = found.at(-1);
    if (last && last[0] + last[1].length === at) last[1].push(name);
    else found.push([at, [name]]);
  });
  return found;
}

const constants = (form) => (form.constants ??= new Set([...form.text.matchAll(/(?:i32\.const |offset=)(\d+)/g)].map(([, value]) => Number(value))));

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

/** A function's name without what differs from one compiler to the next. */
const plain = (name) => name.replace(/\[\w{16}\]/g, "").replaceAll('"', "");

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
