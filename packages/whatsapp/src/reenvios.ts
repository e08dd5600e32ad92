import { setTimeout as dormir } from 'node:timers/promises'
import { type Anfitriao, Recusada } from './anfitriao.ts'
import type { Registrar } from './registro.ts'

/**
 * Messages that a phone could not decrypt and requested again. The library resends them and confirms the request to
 * the server without checking the result. A resend that is refused, lost or encrypted for no device would be lost.
 * Each request is therefore stored until the device confirms the message or our own resend is acknowledged.
 */
export interface Reenvios {
  /** Stores the request of the device `quem`. Must resolve before the library handles it. */
  readonly pedido: (id: string, quem: string) => Promise<void>
  readonly entregue: (id: string, quem: string) => void
  /** The server refused a message that no sender waits for. */
  readonly recusado: (id: string) => void
  readonly retomar: () => void
  readonly fechar: () => Promise<void>
}

export interface ReenviosOptions {
  readonly chaves: Pick<Anfitriao['chaves'], 'ler' | 'gravar'>
  /** Sends our message by WhatsApp's id in new Signal sessions with these devices. Resolves with the server's ack. */
  readonly enviar: (id: string, quem: readonly string[]) => Promise<void>
  readonly esperas: (tentativa: number) => number
  readonly parada: () => boolean
  /** Time for the library's resend and the phone's confirmation, before our own resend. */
  readonly prazoMs: number
  readonly registrar: Registrar
}

const TIPO = 'reenvio'
const TODOS = 'todos'
const TENTATIVAS = 5
const LEMBRADOS = 500

export function createReenvios({ chaves, enviar, esperas, parada, prazoMs, registrar }: ReenviosOptions): Reenvios {
  /** Request to its sequence number. A repeated request gets a new number. */
  const pedidos = new Map<Pedido, number>()
  let vezes = 0
  const andando = new Map<string, { vez: number }>()
  let lidos: Promise<void> | undefined
  let escrita: Promise<void> = Promise.resolve()
  let fechado = false

  const anotar = (pedido: Pedido): void => {
    vezes += 1
    pedidos.set(pedido, vezes)
  }

  const ler = async (): Promise<void> => {
    const guardados = (await chaves.ler(TIPO, [TODOS])).get(TODOS)
    for (const pedido of guardados?.split(' ') ?? []) {
      if (ehPedido(pedido)) anotar(pedido)
    }
  }

  /**
   * Must run before the first write: the record is one list, and a write would replace the requests of an earlier
   * process.
   */
  const carregar = (): Promise<void> =>
    (lidos ??= ler().catch((erro: unknown) => {
      lidos = undefined
      throw erro
    }))

  const gravar = (): Promise<void> => {
    // The next session owns the record.
    if (fechado) return Promise.reject(new Error('session closed'))
    const feita = escrita.then(() => {
      const valor = pedidos.size === 0 ? null : [...pedidos.keys()].join(' ')
      return chaves.gravar([{ tipo: TIPO, id: TODOS, valor }], [])
    })
    escrita = feita.catch(() => undefined)
    return feita
  }

  const de = (id: string) => [...pedidos].filter(([pedido]) => idDo(pedido) === id)

  const esquecer = (quais: readonly Pedido[]): void => {
    const eram = quais.filter((pedido) => pedidos.delete(pedido))
    if (eram.length === 0 || fechado) return
    gravar().catch((erro: unknown) => registrar(erro, 'resend request not deleted'))
  }

  const insistir = async (id: string): Promise<void> => {
    const outra = andando.get(id)
    if (outra !== undefined) return void (outra.vez = 0)
    const esta = { vez: 0 }
    andando.set(id, esta)
    while (esta.vez < TENTATIVAS && de(id).length > 0 && !parada()) {
      await dormir(esperas(esta.vez), undefined, { ref: false })
      esta.vez += 1
      const respondidos = de(id)
      if (respondidos.length === 0) break
      const quem = respondidos.map(([pedido]) => quemPediu(pedido))
      const feito = await enviar(id, quem).then(
        () => true,
        (erro: unknown) => erro instanceof Recusada,
      )
      // A request that was repeated during the send stays, because that device could not decrypt this copy either.
      if (feito) esquecer(respondidos.filter(([pedido, vez]) => pedidos.get(pedido) === vez).map(([pedido]) => pedido))
    }
    andando.delete(id)
  }

  const retomar = (): void => {
    carregar()
      .then(() => Promise.all([...new Set([...pedidos.keys()].map(idDo))].map(insistir)))
      .catch(async (erro: unknown) => {
        registrar(erro, 'resend requests not read, retrying')
        await dormir(esperas(0), undefined, { ref: false })
        if (!parada()) retomar()
      })
  }

  return {
    pedido: async (id, quem) => {
      await carregar()
      anotar(`${id}/${quem}`)
      const [antigo] = pedidos.keys()
      if (pedidos.size > LEMBRADOS && antigo !== undefined) pedidos.delete(antigo)
      await gravar()
      void dormir(prazoMs, undefined, { ref: false }).then(() => insistir(id))
    },
    entregue: (id, quem) => esquecer([`${id}/${quem}`]),
    recusado: (id) => void insistir(id),
    retomar,
    fechar: () => {
      fechado = true
      return escrita
    },
  }
}

type Pedido = `${string}/${string}`

const ehPedido = (texto: string): texto is Pedido => texto.includes('/')

const idDo = (pedido: Pedido): string => pedido.slice(0, pedido.indexOf('/'))

const quemPediu = (pedido: Pedido): string => pedido.slice(pedido.indexOf('/') + 1)
