import { setTimeout as dormir } from 'node:timers/promises'
import { type SessionHost, SendRefused } from './anfitriao.ts'
import type { LogFailure } from './registro.ts'

/**
 * Messages that a phone could not decrypt and requested again. The library resends them and confirms the request to
 * the server without checking the result. A resend that is refused, lost or encrypted for no device would be lost.
 * Each request is therefore stored until the device confirms the message or our own resend is acknowledged.
 */
export interface Resends {
  /** Stores the request of the device `quem`. Must resolve before the library handles it. */
  readonly requested: (id: string, quem: string) => Promise<void>
  readonly delivered: (id: string, quem: string) => void
  /** The server refused a message that no sender waits for. */
  readonly refused: (id: string) => void
  readonly resume: () => void
  readonly close: () => Promise<void>
}

export interface ResendsOptions {
  readonly keys: Pick<SessionHost['keys'], 'read' | 'write'>
  /** Sends our message by WhatsApp's id in new Signal sessions with these devices. Resolves with the server's ack. */
  readonly resend: (id: string, quem: readonly string[]) => Promise<void>
  readonly delays: (tentativa: number) => number
  readonly isStopped: () => boolean
  /** Time for the library's resend and the phone's confirmation, before our own resend. */
  readonly graceMs: number
  readonly logFailure: LogFailure
}

const RESEND_KEY_TYPE = 'reenvio'
const RESEND_KEY_ID = 'todos'
const MAX_ATTEMPTS = 5
const REMEMBERED = 500

export function createResends({ keys, resend, delays, isStopped, graceMs, logFailure }: ResendsOptions): Resends {
  /** Request to its sequence number. A repeated request gets a new number. */
  const pedidos = new Map<ResendRequest, number>()
  let vezes = 0
  const andando = new Map<string, { vez: number }>()
  let lidos: Promise<void> | undefined
  let escrita: Promise<void> = Promise.resolve()
  let fechado = false

  const anotar = (pedido: ResendRequest): void => {
    vezes += 1
    pedidos.set(pedido, vezes)
  }

  const ler = async (): Promise<void> => {
    const guardados = (await keys.read(RESEND_KEY_TYPE, [RESEND_KEY_ID])).get(RESEND_KEY_ID)
    for (const pedido of guardados?.split(' ') ?? []) {
      if (isResendRequest(pedido)) anotar(pedido)
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
      return keys.write([{ tipo: RESEND_KEY_TYPE, id: RESEND_KEY_ID, valor }], [])
    })
    escrita = feita.catch(() => undefined)
    return feita
  }

  const de = (id: string) => [...pedidos].filter(([pedido]) => requestedIdOf(pedido) === id)

  const esquecer = (quais: readonly ResendRequest[]): void => {
    const eram = quais.filter((pedido) => pedidos.delete(pedido))
    if (eram.length === 0 || fechado) return
    gravar().catch((erro: unknown) => logFailure(erro, 'resend request not deleted'))
  }

  const insistir = async (id: string): Promise<void> => {
    const outra = andando.get(id)
    if (outra !== undefined) return void (outra.vez = 0)
    const esta = { vez: 0 }
    andando.set(id, esta)
    while (esta.vez < MAX_ATTEMPTS && de(id).length > 0 && !isStopped()) {
      await dormir(delays(esta.vez), undefined, { ref: false })
      esta.vez += 1
      const respondidos = de(id)
      if (respondidos.length === 0) break
      const quem = respondidos.map(([pedido]) => requesterOf(pedido))
      const feito = await resend(id, quem).then(
        () => true,
        (erro: unknown) => erro instanceof SendRefused,
      )
      // A request that was repeated during the send stays, because that device could not decrypt this copy either.
      if (feito) esquecer(respondidos.filter(([pedido, vez]) => pedidos.get(pedido) === vez).map(([pedido]) => pedido))
    }
    andando.delete(id)
  }

  const retomar = (): void => {
    carregar()
      .then(() => Promise.all([...new Set([...pedidos.keys()].map(requestedIdOf))].map(insistir)))
      .catch(async (erro: unknown) => {
        logFailure(erro, 'resend requests not read, retrying')
        await dormir(delays(0), undefined, { ref: false })
        if (!isStopped()) retomar()
      })
  }

  return {
    requested: async (id, quem) => {
      await carregar()
      anotar(`${id}/${quem}`)
      const [antigo] = pedidos.keys()
      if (pedidos.size > REMEMBERED && antigo !== undefined) pedidos.delete(antigo)
      await gravar()
      void dormir(graceMs, undefined, { ref: false }).then(() => insistir(id))
    },
    delivered: (id, quem) => esquecer([`${id}/${quem}`]),
    refused: (id) => void insistir(id),
    resume: retomar,
    close: () => {
      fechado = true
      return escrita
    },
  }
}

type ResendRequest = `${string}/${string}`

const isResendRequest = (text: string): text is ResendRequest => text.includes('/')

const requestedIdOf = (request: ResendRequest): string => request.slice(0, request.indexOf('/'))

const requesterOf = (request: ResendRequest): string => request.slice(request.indexOf('/') + 1)
