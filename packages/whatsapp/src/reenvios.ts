import { setTimeout as dormir } from 'node:timers/promises'
import { type Anfitriao, Recusada } from './anfitriao.ts'
import type { Registrar } from './registro.ts'

/**
 * Messages that a phone could not read and asked for again. The library sends them once more, tells the server that the
 * question is answered, and does not look back: what the server then refuses, or what dies with the line, would be lost. So
 * each is on record from before the library hears of it until the server took it.
 */
export interface Reenvios {
  /** Resolves when it is durable. */
  readonly pedido: (id: string) => Promise<void>
  /** The server took a message. */
  readonly aceito: (id: string) => void
  /** The server refused one that nobody waits for. */
  readonly recusado: (id: string) => void
  /** There is a line: what an earlier one, or an earlier process, left goes now. */
  readonly retomar: () => void
  /** Resolves when nothing of this process is being written any more. */
  readonly fechar: () => Promise<void>
}

export interface ReenviosOptions {
  readonly chaves: Pick<Anfitriao['chaves'], 'ler' | 'gravar'>
  /** Sends a message of ours by the id that WhatsApp knows, and waits for the server. */
  readonly enviar: (id: string) => Promise<void>
  readonly esperas: (tentativa: number) => number
  readonly parada: () => boolean
  /** How long the library may take to send it, and the server to confirm it, before we do it ourselves. */
  readonly prazoMs: number
  readonly registrar: Registrar
}

const TIPO = 'reenvio'
const TODOS = 'todos'
const TENTATIVAS = 5
const LEMBRADOS = 500

export function createReenvios({ chaves, enviar, esperas, parada, prazoMs, registrar }: ReenviosOptions): Reenvios {
  const pedidos = new Set<string>()
  const andando = new Set<string>()
  let lidos: Promise<void> | undefined
  let escrita: Promise<void> = Promise.resolve()

  const ler = async (): Promise<void> => {
    const guardados = (await chaves.ler(TIPO, [TODOS])).get(TODOS)
    for (const id of guardados?.split(' ') ?? []) pedidos.add(id)
  }

  /** Before anything is written: the record is one list, and what an earlier process left in it must not be written over. */
  const carregar = (): Promise<void> =>
    (lidos ??= ler().catch((erro: unknown) => {
      lidos = undefined
      throw erro
    }))

  const gravar = (): Promise<void> => {
    const feita = escrita.then(() => {
      const valor = pedidos.size === 0 ? null : [...pedidos].join(' ')
      return chaves.gravar([{ tipo: TIPO, id: TODOS, valor }], [])
    })
    escrita = feita.catch(() => undefined)
    return feita
  }

  const esquecer = (id: string): void => {
    if (!pedidos.delete(id)) return
    gravar().catch((erro: unknown) => registrar(erro, 'a message that was sent again is still on record'))
  }

  const insistir = async (id: string): Promise<void> => {
    if (andando.has(id)) return
    andando.add(id)
    for (let vez = 0; vez < TENTATIVAS && !parada(); vez += 1) {
      await dormir(esperas(vez), undefined, { ref: false })
      const feito = await enviar(id).then(
        () => true,
        (erro: unknown) => erro instanceof Recusada,
      )
      if (feito) {
        esquecer(id)
        break
      }
    }
    andando.delete(id)
  }

  const retomar = (): void => {
    carregar()
      .then(() => Promise.all([...pedidos].map(insistir)))
      .catch(async (erro: unknown) => {
        registrar(erro, 'what was asked for again could not be read; trying again')
        await dormir(esperas(0), undefined, { ref: false })
        if (!parada()) retomar()
      })
  }

  return {
    pedido: async (id) => {
      await carregar()
      pedidos.add(id)
      const [antigo] = pedidos
      if (pedidos.size > LEMBRADOS && antigo !== undefined) pedidos.delete(antigo)
      await gravar()
      void dormir(prazoMs, undefined, { ref: false }).then(() => (pedidos.has(id) ? insistir(id) : undefined))
    },
    aceito: esquecer,
    recusado: (id) => void insistir(id),
    retomar,
    fechar: () => escrita,
  }
}
