import { PEOPLE_MIN } from './vocabulary.ts'

/** Groups texts by a key stem that they share. Greedy: the most cohesive group of many people first. */

/** Texts with the same stems. */
export interface Unit {
  /** Numbers of stems, in the order of the stems. */
  readonly stems: readonly number[]
  /** Numbers of the people who wrote the texts, each once. */
  readonly people: readonly number[]
  /** Number of texts. */
  readonly size: number
}

export interface Group {
  readonly key: number
  readonly units: readonly number[]
}

/** Share of a stem in the texts of a group from which it is typical. */
const TYPICAL = 0.5
/** Share of its weight that a text has in common with the typical stems of its group. */
const MEMBER = 0.4
/** Mean of these shares in a group. */
const COHESION = 0.5
const GROUPS_MAX = 200
/** Units between two interruptions: less than 10 ms. */
const SLICE = 1_000
/** Weight of a stem of fewer people than a group has, so that chatter around a question does not hide it. */
const RARE_WEIGHT = 1
/** Least weight of any other stem: in a few texts about one thing the key is in all of them. */
const SHARED_WEIGHT = 2
/** A key is rated again after other groups took a tenth of its units. */
const STALE = 0.9

interface Candidate {
  readonly key: number
  readonly score: number
  readonly typical: ReadonlySet<number>
  /** Free units of the key at the rating. */
  readonly free: number
}

export interface GroupsInput {
  readonly units: readonly Unit[]
  readonly stemCount: number
  readonly peopleCount: number
  /** Keys whose texts form groups first, whatever their size. They are returned too. */
  readonly first: readonly number[]
}

class Grouping {
  readonly #units: readonly Unit[]
  readonly #byStem: number[][]
  readonly #weights: number[]
  readonly #free: Uint8Array
  /** By person, the last count in which the person was counted. */
  readonly #counted: Uint32Array
  #count = 0
  #visits = 0

  constructor({ units, stemCount, peopleCount }: GroupsInput) {
    this.#units = units
    this.#free = new Uint8Array(units.length).fill(1)
    this.#counted = new Uint32Array(peopleCount)
    this.#byStem = Array.from({ length: stemCount }, () => [])
    let total = 0
    for (const [index, { stems, size }] of units.entries()) {
      total += size
      for (const stem of stems) this.#byStem[stem]?.push(index)
    }
    this.#weights = this.#byStem.map((indexes) => {
      if (this.#peopleOf(indexes) < PEOPLE_MIN) return RARE_WEIGHT
      const texts = indexes.reduce((sum, index) => sum + (units[index]?.size ?? 0), 0)
      return SHARED_WEIGHT + Math.log((1 + total) / (1 + texts))
    })
  }

  get isSliceFull(): boolean {
    if (this.#visits < SLICE) return false
    this.#visits = 0
    return true
  }

  isStale({ key, free }: Candidate): boolean {
    return this.#freeUnitsOf(key).length < free * STALE
  }

  /** Null for a key that is shared by too few people, or by texts about different things. */
  rate(key: number): Candidate | null {
    const indexes = this.#freeUnitsOf(key)
    const people = this.#peopleOf(indexes)
    if (people < PEOPLE_MIN) return null
    const typical = this.#typicalOf(key, indexes)
    let [size, shared] = [0, 0]
    for (const index of indexes) {
      const unit = this.#units[index]
      if (unit === undefined) continue
      size += unit.size
      shared += unit.size * this.#shareOf(unit, typical)
    }
    const cohesion = shared / size
    if (cohesion < COHESION) return null
    return { key, typical, free: indexes.length, score: cohesion * cohesion * Math.sqrt(people) }
  }

  /** Takes the texts that mostly consist of typical stems. Null, and nothing is taken, if too few people wrote them. */
  take({ key, typical }: Pick<Candidate, 'key' | 'typical'>, peopleMin: number): Group | null {
    const units = this.#freeUnitsOf(key).filter((index) => {
      const unit = this.#units[index]
      return unit !== undefined && this.#shareOf(unit, typical) >= MEMBER
    })
    if (units.length === 0 || this.#peopleOf(units) < peopleMin) return null
    for (const index of units) this.#free[index] = 0
    return { key, units }
  }

  takeFirst(key: number): Group | null {
    return this.take({ key, typical: this.#typicalOf(key, this.#freeUnitsOf(key)) }, 1)
  }

  stemsOf({ units }: Group): Set<number> {
    return new Set(units.flatMap((index) => this.#units[index]?.stems ?? []))
  }

  #freeUnitsOf(key: number): readonly number[] {
    const free = (this.#byStem[key] ?? []).filter((index) => this.#free[index] === 1)
    this.#byStem[key] = free
    return free
  }

  #peopleOf(indexes: readonly number[]): number {
    this.#visits += indexes.length
    this.#count += 1
    let people = 0
    for (const index of indexes) {
      for (const person of this.#units[index]?.people ?? []) {
        if (this.#counted[person] === this.#count) continue
        this.#counted[person] = this.#count
        people += 1
      }
    }
    return people
  }

  #typicalOf(key: number, indexes: readonly number[]): Set<number> {
    const counts = new Map<number, number>()
    let total = 0
    for (const index of indexes) {
      const { stems = [], size = 0 } = this.#units[index] ?? {}
      total += size
      for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + size)
    }
    const typical = new Set([key])
    for (const [stem, count] of counts) if (count >= total * TYPICAL) typical.add(stem)
    return typical
  }

  #shareOf({ stems }: Unit, typical: ReadonlySet<number>): number {
    let [shared, total] = [0, 0]
    for (const stem of stems) {
      const weight = this.#weights[stem] ?? 0
      total += weight
      if (typical.has(stem)) shared += weight
    }
    return shared / total
  }
}

/** Yields between slices of a few ms, so that the caller may let other work run. Each unit is in at most one group. */
export function* groupUnits(input: GroupsInput): Generator<undefined, Group[]> {
  const grouping = new Grouping(input)
  yield
  const first = new Set(input.first)
  const groups = input.first.flatMap((key) => grouping.takeFirst(key) ?? [])
  const candidates = new Map<number, Candidate>()
  for (let stem = 0; stem < input.stemCount; stem += 1) {
    const candidate = first.has(stem) ? null : grouping.rate(stem)
    if (candidate !== null) candidates.set(stem, candidate)
    if (grouping.isSliceFull) yield
  }
  while (groups.length < GROUPS_MAX + first.size) {
    const best = bestOf(candidates)
    if (best === null) break
    const group = grouping.take(best, PEOPLE_MIN)
    if (group === null) {
      candidates.delete(best.key)
      continue
    }
    groups.push(group)
    yield* rateAgain(grouping, candidates, group)
  }
  return groups
}

function* rateAgain(
  grouping: Grouping,
  candidates: Map<number, Candidate>,
  group: Group,
): Generator<undefined, undefined> {
  for (const stem of grouping.stemsOf(group)) {
    const candidate = candidates.get(stem)
    if (candidate === undefined || (stem !== group.key && !grouping.isStale(candidate))) continue
    const rated = grouping.rate(stem)
    if (rated === null) candidates.delete(stem)
    else candidates.set(stem, rated)
    if (grouping.isSliceFull) yield
  }
}

/** Of equal ones the first in the order of the stems. */
function bestOf(candidates: ReadonlyMap<number, Candidate>): Candidate | null {
  let best: Candidate | null = null
  for (const candidate of candidates.values()) {
    const { score, key } = candidate
    if (best === null || score > best.score || (score === best.score && key < best.key)) best = candidate
  }
  return best
}
