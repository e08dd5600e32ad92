import type { ClienteFalso } from '@balcao/whatsapp/rede-falsa'
import { atLeast, exactly, type Section, shown } from '../../report.ts'
import type { Faltas } from './faltas.ts'
import type { Loja } from './loja.ts'

export interface Livro {
  readonly aceita: (id: string) => void
  readonly completo: () => boolean
  /** Counters as text. The text stays equal when nothing moves. */
  readonly andamento: () => string
  readonly exato: () => boolean
  readonly secao: (minutos: number, semente: number) => Section
}

export function createLivro(clientes: readonly ClienteFalso[], { disco }: Loja, faltas: Faltas): Livro {
  const aceitas = new Set<string>()
  const lidas = (): string[] => clientes.flatMap(({ recebidas }) => recebidas.map(({ texto }) => texto))
  const soma = (de: (cliente: ClienteFalso) => number): number => clientes.reduce((n, cliente) => n + de(cliente), 0)
  const contas = () => ({
    'messages of customers accepted': aceitas.size,
    'messages stored': disco.recebidas.length,
    'of these, each accepted one once': new Set(disco.recebidas.map(({ id }) => id).filter((id) => aceitas.has(id)))
      .size,
    'answers read by customers': lidas().length,
    'of these, one for each accepted message': new Set(lidas().filter((texto) => aceitas.has(texto.slice(4)))).size,
  })
  const pendentes = (): number => disco.chegadas.size
  const faltaram = (): number => [...faltas.contadas.values()].filter((vezes) => vezes === 0).length
  const iguais = (): boolean => Object.values(contas()).every((valor) => valor === aceitas.size)

  return {
    aceita: (id) => void aceitas.add(id),
    completo: () => iguais() && pendentes() === 0,
    andamento: () => Object.values(contas()).join(' · '),
    exato: () => iguais() && pendentes() === 0 && faltaram() === 0,
    secao: (minutos, semente) => ({
      titulo: 'WhatsApp: a bad day',
      linhas: [
        ...Object.entries(contas()).map(([medida, valor]) => exactly(medida, valor, aceitas.size)),
        exactly('left in the journal', pendentes(), 0),
        shown('copies of answers that phones dropped', String(soma(({ repetidas }) => repetidas.length))),
        shown(
          'answers asked for again because a phone could not read them',
          String(soma(({ ilegiveis }) => ilegiveis.length)),
        ),
        ...[...faltas.contadas].map(([qual, vezes]) => atLeast(`fault: ${qual}`, vezes, 1, '')),
      ],
      notas: [
        `${clientes.length} customers write for ${minutos} minutes to a shop that answers each message once, over the fake network of \`packages/whatsapp/test\`, seed ${semente}. ` +
          'Repetitions are what the network and the outbox offer again after a fault; neither the shop nor a phone may take them twice.',
      ],
    }),
  }
}
