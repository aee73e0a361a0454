// The sheet for teachers: all lessons on paper, answers hidden by a switch.

class Sheet {
  constructor(openLesson) {
    this.openLesson = openLesson;
    this.answers = make("input", {
      type: "checkbox",
      id: "show-answers",
      onchange: () => this.paint(),
    });
    this.core = make("input", {
      type: "checkbox",
      id: "core-only",
      onchange: () => this.paint(),
    });
    this.list = make("ol", { id: "sheet-list" });
    byId("sheet").append(
      make("h2", {}, "Sheet for teachers"),
      make(
        "div",
        { class: "controls" },
        make("label", { class: "check" }, this.answers, " show the answers"),
        make("label", { class: "check" }, this.core, " only the four steps for ten minutes"),
        make("button", { type: "button", id: "print", onclick: () => window.print() }, "Print"),
      ),
      make(
        "p",
        {},
        "Ten minutes: steps 1 to 4, one guess each by a show of hands, then the reveal and " +
          "the question. A full hour: all twelve, then the sandbox in pairs: one turns a knob and " +
          "hides it, the other finds the bottleneck from the picture alone. The page works without a " +
          "network; mail the file. Each step and each setting of the sandbox has its own address to " +
          "hand out.",
      ),
      make(
        "p",
        {},
        "Name: ",
        make("span", { class: "write" }),
        " Date: ",
        make("span", { class: "write" }),
      ),
      this.list,
    );
    this.paint();
  }

  paint() {
    const lessons = LESSONS.filter(({ id }) => !this.core.checked || CORE_LESSONS.includes(id));
    this.list.replaceChildren(...lessons.map((lesson) => this.item(lesson)));
    if (this.answers.checked) this.fill();
  }

  item(lesson) {
    const answers =
      this.answers.checked &&
      make(
        "div",
        { class: "answers", "data-lesson": lesson.id },
        make("p", { class: "figures" }, "Simulating …"),
        make("p", {}, make("strong", {}, `Answer: ${"abc"[lesson.right]}. `), lesson.explanation),
      );
    return make(
      "li",
      { value: LESSONS.indexOf(lesson) + 1 },
      make("h3", {}, lesson.title),
      make("p", {}, lesson.scene),
      make(
        "p",
        {},
        make("strong", {}, lesson.question),
        " My guess: ",
        make("span", { class: "write" }),
        " Result: ",
        make("span", { class: "write" }),
      ),
      make("p", {}, lesson.why),
      make(
        "ul",
        {},
        lesson.choices.map((text, index) => make("li", {}, `${"abc"[index]}) ${text}`)),
      ),
      answers || null,
      make(
        "p",
        { class: "controls" },
        make(
          "button",
          {
            type: "button",
            onclick: () => this.openLesson(LESSONS.indexOf(lesson)),
          },
          `Open step ${LESSONS.indexOf(lesson) + 1}`,
        ),
      ),
    );
  }

  /** Measured and simulated figures, one after the other. */
  async fill() {
    for (const box of this.list.querySelectorAll(".answers")) {
      const lesson = LESSONS.find(({ id }) => id === box.dataset.lesson);
      const { result } = await predictionOf(referenceOf(lesson.after), `sheet ${lesson.id}`);
      const simulated = result[lesson.what];
      const measured = lesson.after.knobs
        ? undefined
        : measuredOf(lesson.after.name)[lesson.what];
      const words = `Simulated: ${withRange(simulated)}.`;
      setText(
        box.querySelector(".figures"),
        measured === undefined
          ? `${words} Not measured: made up.`
          : `Measured: ${durationText(measured)}. ${words}`,
      );
    }
  }
}
