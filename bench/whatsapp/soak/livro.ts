import type { FakeCustomer } from '@balcao/whatsapp/rede-falsa'
import { atLeast, exactly, type Section, shown } from '../../report.ts'
import type { SoakFaults } from './faltas.ts'
import type { SoakShop } from './loja.ts'

export interface Ledger {
  readonly accepted: (id: string) => void
  readonly isComplete: () => boolean
  /** Counters as text. The text stays equal when nothing moves. */
  readonly progress: () => string
  readonly isExact: () => boolean
  readonly section: (minutos: number, semente: number) => Section
}

export function createLedger(customers: readonly FakeCustomer[], { disk }: SoakShop, faults: SoakFaults): Ledger {
  const aceitas = new Set<string>()
  const lidas = (): string[] => customers.flatMap(({ received }) => received.map(({ text }) => text))
  const soma = (de: (cliente: FakeCustomer) => number): number => customers.reduce((n, cliente) => n + de(cliente), 0)
  const contas = () => ({
    'messages of customers accepted': aceitas.size,
    'messages stored': disk.received.length,
    'of these, each accepted one once': new Set(disk.received.map(({ id }) => id).filter((id) => aceitas.has(id)))
      .size,
    'answers read by customers': lidas().length,
    'of these, one for each accepted message': new Set(lidas().filter((texto) => aceitas.has(texto.slice(4)))).size,
  })
  const pendentes = (): number => disk.entries.size
  const faltaram = (): number => [...faults.counts.values()].filter((vezes) => vezes === 0).length
  const iguais = (): boolean => Object.values(contas()).every((valor) => valor === aceitas.size)

  return {
    accepted: (id) => void aceitas.add(id),
    isComplete: () => iguais() && pendentes() === 0,
    progress: () => Object.values(contas()).join(' · '),
    isExact: () => iguais() && pendentes() === 0 && faltaram() === 0,
    section: (minutos, semente) => ({
      titulo: 'WhatsApp: a bad day',
      linhas: [
        ...Object.entries(contas()).map(([medida, valor]) => exactly(medida, valor, aceitas.size)),
        exactly('left in the journal', pendentes(), 0),
        shown('copies of answers that phones dropped', String(soma(({ repeated }) => repeated.length))),
        shown(
          'answers asked for again because a phone could not read them',
          String(soma(({ unreadable }) => unreadable.length)),
        ),
        ...[...faults.counts].map(([qual, vezes]) => atLeast(`fault: ${qual}`, vezes, 1, '')),
      ],
      notas: [
        `${customers.length} customers write for ${minutos} minutes to a shop that answers each message once, over the fake network of \`packages/whatsapp/test\`, seed ${semente}. ` +
          'Repetitions are what the network and the outbox offer again after a fault; neither the shop nor a phone may take them twice.',
      ],
    }),
  }
}
