// From the page to work and back: link, command, scenario file, BACKUP statement, a file loaded.

class Exchange {
  /** `loaded(reference)` is told of a file that was read. */
  constructor(current, loaded) {
    Object.assign(this, { current, loaded });
    this.box = make("textarea", {
      id: "exchange-text",
      readonly: true,
      rows: 5,
      spellcheck: "false",
      "aria-label": "Text to copy",
    });
    this.said = make("p", { class: "help", role: "status", id: "exchange-said" });
    this.save = make(
      "button",
      {
        type: "button",
        id: "save",
        hidden: true,
        onclick: () => download(this.saveAs, this.box.value),
      },
      "Save as a file",
    );
    this.file = make("input", {
      type: "file",
      id: "load",
      accept: ".toml,text/plain",
      onchange: () => this.read(this.file.files[0]),
    });
    this.variants = make("select", { id: "variant", onchange: () => this.chooseVariant() });
    this.variantRow = make(
      "div",
      { class: "row", hidden: true },
      make("label", { for: "variant" }, "Variant"),
      this.variants,
    );
    this.refused = make("p", {
      class: "failure",
      role: "alert",
      id: "load-refused",
      hidden: true,
    });
    const button = (id, label, text) =>
      make("button", { type: "button", id, onclick: () => this.give(label, text) }, label);
    byId("sandbox").append(
      make(
        "div",
        { class: "exchange" },
        make("h2", {}, "From the page to work"),
        make(
          "div",
          { class: "row" },
          button(
            "copy-link",
            "Copy link",
            async () => `${location.href.split("#")[0]}#${await addressOf(state)}`,
          ),
          button(
            "copy-command",
            "Copy as command",
            async () => (await this.statement()).command_line,
          ),
          button(
            "copy-scenario",
            "Copy as scenario file",
            async () => (await this.shown()).resolved_toml,
          ),
          button(
            "copy-statement",
            "Copy as BACKUP statement",
            async () => (await this.statement()).backup,
          ),
        ),
        this.box,
        this.said,
        this.save,
        make("label", { for: "load" }, "Load a scenario file"),
        this.file,
        this.variantRow,
        this.refused,
      ),
    );
  }

  async statement() {
    return (await askedOf(this.current(), "statement", "statement")).result;
  }

  async shown() {
    return (await askedOf(this.current(), "show", "show")).result;
  }

  async give(label, text) {
    try {
      const value = await text();
      this.box.value = value;
      const file = label.includes("scenario");
      this.save.hidden = !file;
      this.saveAs = fileName(this.current().name);
      const copied = await copyText(value, this.box);
      const hint =
        label.includes("command") &&
        (this.current().file || TEMPLATES[splitName(this.current().name)[0]])
          ? " The command reads a file: copy the scenario as well, and save it under that name."
          : "";
      setText(this.said, (copied ? "Copied." : "Select the text and copy it.") + hint);
    } catch (error) {
      setText(this.said, error.message);
    }
  }

  /** A file of the reader's own: checked by the engine, refused in its words. */
  async read(file) {
    if (!file) return;
    this.refused.hidden = true;
    const text = await file.text();
    const reference = makeReference(file.name, {}, { name: file.name, text, variant: "" });
    await this.offer(reference);
    this.file.value = "";
  }

  async offer(reference) {
    try {
      await baseOf(reference);
    } catch (error) {
      this.refused.hidden = false;
      setText(this.refused, error.message);
      return;
    }
    this.loaded(reference);
  }

  /** The variants of a loaded file, to choose from. */
  async show(run) {
    this.run = run;
    this.variantRow.hidden = true;
    if (!run.file) return;
    const { result } = await askedOf(makeReference(run.name, {}, run.file), "show", "show");
    if (this.run !== run || !result.variants?.length) return;
    const names = result.variants.map(({ name }) => splitName(name)[1] ?? name);
    this.variants.replaceChildren(
      make("option", { value: "" }, "as the file stands"),
      ...names.map((name) => make("option", { value: name }, name)),
    );
    this.variants.value = run.file.variant;
    this.variantRow.hidden = false;
  }

  chooseVariant() {
    const file = { ...this.run.file, variant: this.variants.value };
    this.offer(makeReference(this.run.name, this.run.knobs, file));
  }
}

const fileName = (name) => `${name.replace(/\.toml$/, "").replace(/[^\w.-]+/g, "-")}.toml`;
