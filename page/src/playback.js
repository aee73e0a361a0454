// The clock of the picture: play, pause, one event, any speed, the end. Pictures of two runs keep
// the same time, so that they can be watched side by side.

const SLOWEST = 0.01;
const FASTEST = 1000;
/** Events a second of the watcher's time up to which each has its frame. */
const FOLLOWED_EVENTS = 2000;

class Playback {
  constructor(onFrame) {
    this.movies = [];
    this.time = 0;
    this.speed = 0.1;
    this.playing = false;
    this.onFrame = onFrame;
    this.tick = this.tick.bind(this);
    this.frames = 0;
  }

  /** What is played: movies with their pictures. The clock starts anew. */
  load(movies, time = 0) {
    this.movies = movies;
    this.time = Math.min(time, this.length);
    this.paint(0);
  }

  get length() {
    return Math.max(0, ...this.movies.map(({ movie }) => movie.length));
  }

  play() {
    if (this.playing || !this.movies.length) return;
    if (this.time >= this.length) this.time = 0;
    this.playing = true;
    this.last = null;
    requestAnimationFrame(this.tick);
  }

  pause() {
    this.playing = false;
    this.paint(0);
  }

  /** To the next event of any of the runs. */
  async step() {
    this.playing = false;
    await Promise.all(this.movies.map(({ movie }) => movie.want(this.time, true)));
    const next = Math.min(...this.movies.map(({ movie }) => movie.eventAfter(this.time)));
    this.time = Number.isFinite(next) ? next : this.length;
    this.paint(0.05);
    this.settle();
  }

  /** Lets buffers glide to their places while the clock stands. */
  settle() {
    let left = reducedMotion() ? 0 : 24;
    const glide = () => {
      if (this.playing || left <= 0) return;
      left -= 1;
      this.paint(1 / 60);
      requestAnimationFrame(glide);
    };
    requestAnimationFrame(glide);
  }

  seek(time) {
    this.time = Math.max(0, Math.min(this.length, time));
    this.paint(0);
  }

  tick(now) {
    if (!this.playing) return;
    const passed = this.last === null ? 0 : Math.min(0.1, (now - this.last) / 1000);
    this.last = now;
    this.frames += 1;
    this.time += passed * this.speed;
    this.lookAhead();
    if (this.time >= this.length) {
      this.time = this.length;
      this.playing = false;
    }
    this.paint(passed);
    if (this.playing) requestAnimationFrame(this.tick);
  }

  /** Asks for every event where the eye can follow them; the coarse film is enough elsewhere. */
  lookAhead() {
    for (const { movie } of this.movies) {
      if (movie.eventsPerSecond * this.speed < FOLLOWED_EVENTS) movie.want(this.time, true);
    }
  }

  paint(passed) {
    for (const { movie, picture } of this.movies) {
      picture.draw(movie.snapshotAt(this.time), passed);
    }
    this.onFrame(this);
  }
}

/** A speed at which a learner can follow: a few transfers a second. */
function gentleSpeed(movie) {
  const rounds = movie.rounds / Math.max(movie.length, 1e-9);
  const speed = 6 / Math.max(rounds, 1e-9);
  const steps = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
  return steps.findLast((step) => step <= speed) ?? SLOWEST;
}
