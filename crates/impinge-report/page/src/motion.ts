// Where parts stand at a time: between two keys they are turned and moved evenly.

import { Matrix4, Quaternion, Vector3 } from "three";
import { doubles, matrices, type Report } from "./data";

interface Pose {
  at: Vector3;
  turn: Quaternion;
  scale: Vector3;
}

export class Track {
  private readonly poses: (Pose | null | undefined)[] = [];

  constructor(
    readonly part: number,
    private readonly times: ArrayLike<number>,
    private readonly keys: (Matrix4 | null)[],
  ) {}

  /// At most so many of the keys, from the first to the last.
  some(most: number): Matrix4[] {
    const step = Math.max(1, Math.ceil(this.keys.length / most));
    return this.keys.filter((key, i) => key !== null && (i % step === 0 || i === this.keys.length - 1)) as Matrix4[];
  }

  /// Where the part stands; null where it is not there.
  at(time: number): Matrix4 | null {
    const { times, keys } = this;
    let [low, high] = [0, times.length];
    // The first key that is later.
    while (low < high) {
      const middle = (low + high) >> 1;
      if (times[middle] <= time) low = middle + 1;
      else high = middle;
    }
    const before = Math.max(low - 1, 0);
    const after = Math.min(low, times.length - 1);
    const [first, second] = [keys[before], keys[after]];
    const length = times[after] - times[before];
    if (!first || !second || length <= 0) return first;
    return this.between(before, after, (time - times[before]) / length);
  }

  private between(before: number, after: number, fraction: number): Matrix4 {
    const [one, other] = [this.pose(before), this.pose(after)];
    const result = new Matrix4();
    if (one && other) {
      const at = one.at.clone().lerp(other.at, fraction);
      const scale = one.scale.clone().lerp(other.scale, fraction);
      return result.compose(at, one.turn.clone().slerp(other.turn, fraction), scale);
    }
    // Sheared: number by number.
    const [a, b] = [this.keys[before]!.elements, this.keys[after]!.elements];
    return result.fromArray(a.map((value, i) => value + fraction * (b[i] - value)));
  }

  /// The key as translation, rotation and scale; null where it is more than that.
  private pose(key: number): Pose | null {
    let pose = this.poses[key];
    if (pose === undefined) {
      pose = { at: new Vector3(), turn: new Quaternion(), scale: new Vector3() };
      const matrix = this.keys[key]!;
      matrix.decompose(pose.at, pose.turn, pose.scale);
      const again = new Matrix4().compose(pose.at, pose.turn, pose.scale).elements;
      const size = Math.max(...matrix.elements.slice(0, 12).map(Math.abs));
      if (matrix.elements.some((value, i) => Math.abs(value - again[i]) > 1e-6 * size)) pose = null;
      this.poses[key] = pose;
    }
    return pose;
  }
}

export interface Motion {
  duration: number;
  tracks: Track[];
}

export function motionOf(report: Report): Motion | null {
  if (report.animation) {
    const { duration, tracks } = report.animation;
    return {
      duration,
      tracks: tracks.map((track) => new Track(track.part, doubles(track.times), matrices(track.world_from_model))),
    };
  }
  if (report.sweep) return { duration: 1, tracks: [swept(report.sweep)] };
  return null;
}

/// The way that was asked for, and on it the pose that was proven free, which no interpolation may replace.
function swept(sweep: NonNullable<Report["sweep"]>): Track {
  const path = matrices(sweep.path);
  const keys = path.map((pose, i) => ({ time: path.length > 1 ? i / (path.length - 1) : 0, pose }));
  const others = keys.filter(({ time }) => time !== sweep.fraction);
  const all = [...others, { time: sweep.fraction, pose: matrices(sweep.stop)[0] }];
  all.sort((one, other) => one.time - other.time);
  return new Track(
    sweep.moving,
    all.map(({ time }) => time),
    all.map(({ pose }) => pose),
  );
}
