import type { FakeCustomer } from '@balcao/whatsapp/rede-falsa'
import { atLeast, exactly, type Section, shown } from '../../report.ts'
import type { SoakFaults } from './faults.ts'
import type { SoakShop } from './shop.ts'

export interface Ledger {
  readonly accepted: (id: string) => void
  readonly isComplete: () => boolean
  /** Counters as text. The text stays equal when nothing moves. */
  readonly progress: () => string
  readonly isExact: () => boolean
  readonly section: (minutes: number, seed: number) => Section
}

export function createLedger(customers: readonly FakeCustomer[], { disk }: SoakShop, faults: SoakFaults): Ledger {
  const aceitas = new Set<string>()
  const parsed = (): string[] => customers.flatMap(({ received }) => received.map(({ text }) => text))
  const sum = (de: (cliente: FakeCustomer) => number): number => customers.reduce((n, cliente) => n + de(cliente), 0)
  const contas = () => ({
    'messages of customers accepted': aceitas.size,
    'messages stored': disk.received.length,
    'of these, each accepted one once': new Set(disk.received.map(({ id }) => id).filter((id) => aceitas.has(id))).size,
    'answers read by customers': parsed().length,
    'of these, one for each accepted message': new Set(parsed().filter((texto) => aceitas.has(texto.slice(4)))).size,
  })
  const pending = (): number => disk.entries.size
  const faltaram = (): number => [...faults.counts.values()].filter((times) => times === 0).length
  const equal = (): boolean => Object.values(contas()).every((value) => value === aceitas.size)

  return {
    accepted: (id) => void aceitas.add(id),
    isComplete: () => equal() && pending() === 0,
    progress: () => Object.values(contas()).join(' · '),
    isExact: () => equal() && pending() === 0 && faltaram() === 0,
    section: (minutes, seed) => ({
      title: 'WhatsApp: a bad day',
      lines: [
        ...Object.entries(contas()).map(([measure, value]) => exactly(measure, value, aceitas.size)),
        exactly('left in the journal', pending(), 0),
        shown('copies of answers that phones dropped', String(sum(({ repeated }) => repeated.length))),
        shown(
          'answers asked for again because a phone could not read them',
          String(sum(({ unreadable }) => unreadable.length)),
        ),
        ...[...faults.counts].map(([qual, times]) => atLeast(`fault: ${qual}`, times, 1, '')),
      ],
      notes: [
        `${customers.length} customers write for ${minutes} minutes to a shop that answers each message once, over the fake network of \`packages/whatsapp/test\`, seed ${seed}. ` +
          'After a fault, network and outbox repeat messages. Shop and phones must each accept a message once.',
      ],
    }),
  }
}
