import { mayReadQueue, type ReadableParts } from '@balcao/contract/conversa-access'

/** An online and available person who may get conversas. */
export interface Candidate extends ReadableParts {
  readonly id: string
  /** Conversas that the person serves now. */
  readonly serving: number
  /** When the person last got a conversa, in ms. Null: never. */
  readonly lastAt: number | null
}

export interface WaitingConversa {
  readonly id: string
  readonly setor: string | null
  readonly linhaId: string
  /** People who let the conversa go without writing. */
  readonly passedBy: readonly string[]
}

/**
 * Returns the person of setor and line who gets the conversa: the fewest conversas first, then the longest time without a new
 * one. Null: all have `capacity` conversas or more, let it go, or serve others.
 */
export function nextPerson<C extends Candidate>(
  people: readonly C[],
  { passedBy, ...conversa }: Omit<WaitingConversa, 'id'>,
  capacity: number,
): C | null {
  const free = people.filter(
    (person) => person.serving < capacity && mayReadQueue(person, conversa) && !passedBy.includes(person.id),
  )
  return free.toSorted(byTurn)[0] ?? null
}

function byTurn(a: Candidate, b: Candidate): number {
  if (a.serving !== b.serving) return a.serving - b.serving
  const [since, other] = [a.lastAt ?? -Infinity, b.lastAt ?? -Infinity]
  if (since !== other) return since - other
  return a.id < b.id ? -1 : 1
}

export interface Assignment {
  readonly conversaId: string
  readonly personId: string
}

/** Gives conversas to people in the order of the queue. `now` is in ms. Conversas without a person are left out. */
export function assignWaiting(
  people: readonly Candidate[],
  waiting: readonly WaitingConversa[],
  { capacity, now }: { readonly capacity: number; readonly now: number },
): Assignment[] {
  let current = [...people]
  const assignments: Assignment[] = []
  for (const conversa of waiting) {
    const person = nextPerson(current, conversa, capacity)
    if (person === null) continue
    // Later ones of the same instant count as newer.
    const got = { ...person, serving: person.serving + 1, lastAt: Math.max(now, (person.lastAt ?? 0) + 1) }
    current = current.map((one) => (one === person ? got : one))
    assignments.push({ conversaId: conversa.id, personId: person.id })
  }
  return assignments
}
