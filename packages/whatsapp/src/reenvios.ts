import { setTimeout as dormir } from 'node:timers/promises'
import { type Anfitriao, Recusada } from './anfitriao.ts'
import type { Registrar } from './registro.ts'

/**
 * Messages that a phone could not read and asked for again. The library sends them once more, tells the server that the
 * question is answered, and does not look back: what the server then refuses, what dies with the line, and what it could
 * encrypt for nobody would be lost. So each is on record from before the library hears of it until whoever asked has it, or
 * until we sent it ourselves and the server took it.
 */
export interface Reenvios {
  /** `quem` could not read the message. Resolves when that is durable. */
  readonly pedido: (id: string, quem: string) => Promise<void>
  /** `quem` has the message. */
  readonly entregue: (id: string, quem: string) => void
  /** The server refused one that nobody waits for. */
  readonly recusado: (id: string) => void
  /** There is a line: what an earlier one, or an earlier process, left goes now. */
  readonly retomar: () => void
  /** Nothing more is written; resolves when what had begun is over. */
  readonly fechar: () => Promise<void>
}

export interface ReenviosOptions {
  readonly chaves: Pick<Anfitriao['chaves'], 'ler' | 'gravar'>
  /** Sends a message of ours by the id that WhatsApp knows, in new sessions with these devices, and waits for the server. */
  readonly enviar: (id: string, quem: readonly string[]) => Promise<void>
  readonly esperas: (tentativa: number) => number
  readonly parada: () => boolean
  /** How long the library may take to send it, and the phone to confirm it, before we do it ourselves. */
  readonly prazoMs: number
  readonly registrar: Registrar
}

const TIPO = 'reenvio'
const TODOS = 'todos'
const TENTATIVAS = 5
const LEMBRADOS = 500

export function createReenvios({ chaves, enviar, esperas, parada, prazoMs, registrar }: ReenviosOptions): Reenvios {
  /** With how many were asked before the last time that this one was. */
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

  /** Before anything is written: the record is one list, and what an earlier process left in it must not be written over. */
  const carregar = (): Promise<void> =>
    (lidos ??= ler().catch((erro: unknown) => {
      lidos = undefined
      throw erro
    }))

  const gravar = (): Promise<void> => {
    // The record belongs to whoever comes next.
    if (fechado) return Promise.reject(new Error('the session is over'))
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
    gravar().catch((erro: unknown) => registrar(erro, 'a message that was sent again is still on record'))
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
      // It came meanwhile.
      if (respondidos.length === 0) break
      const quem = respondidos.map(([pedido]) => quemPediu(pedido))
      const feito = await enviar(id, quem).then(
        () => true,
        (erro: unknown) => erro instanceof Recusada,
      )
      // Whoever asked once more meanwhile could not read this one either.
      if (feito) esquecer(respondidos.filter(([pedido, vez]) => pedidos.get(pedido) === vez).map(([pedido]) => pedido))
    }
    andando.delete(id)
  }

  const retomar = (): void => {
    carregar()
      .then(() => Promise.all([...new Set([...pedidos.keys()].map(idDo))].map(insistir)))
      .catch(async (erro: unknown) => {
        registrar(erro, 'what was asked for again could not be read; trying again')
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

/** The message's id and the device that asked for it. */
type Pedido = `${string}/${string}`

const ehPedido = (texto: string): texto is Pedido => texto.includes('/')

const idDo = (pedido: Pedido): string => pedido.slice(0, pedido.indexOf('/'))

const quemPediu = (pedido: Pedido): string => pedido.slice(pedido.indexOf('/') + 1)
