import { setTimeout as dormir } from 'node:timers/promises'
import { SendRefused } from '@balcao/connector/errors'
import type { SessionHost } from '@balcao/connector/port'
import type { LogFailure } from '#log-failure.ts'

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
  readonly delays: (attempt: number) => number
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
  const requests = new Map<ResendRequest, number>()
  let times = 0
  const andando = new Map<string, { vez: number }>()
  let parsed: Promise<void> | undefined
  let escrita: Promise<void> = Promise.resolve()
  let closed = false

  const record = (pedido: ResendRequest): void => {
    times += 1
    requests.set(pedido, times)
  }

  const ler = async (): Promise<void> => {
    const stored = (await keys.read(RESEND_KEY_TYPE, [RESEND_KEY_ID])).get(RESEND_KEY_ID)
    for (const pedido of stored?.split(' ') ?? []) {
      if (isResendRequest(pedido)) record(pedido)
    }
  }

  /**
   * Must run before the first write: the record is one list, and a write would replace the requests of an earlier
   * process.
   */
  const load = (): Promise<void> =>
    (parsed ??= ler().catch((error: unknown) => {
      parsed = undefined
      throw error
    }))

  const gravar = (): Promise<void> => {
    // The next session owns the record.
    if (closed) return Promise.reject(new Error('session closed'))
    const done = escrita.then(() => {
      const valor = requests.size === 0 ? null : [...requests.keys()].join(' ')
      return keys.write([{ tipo: RESEND_KEY_TYPE, id: RESEND_KEY_ID, valor }], [])
    })
    escrita = done.catch(() => undefined)
    return done
  }

  const de = (id: string) => [...requests].filter(([pedido]) => requestedIdOf(pedido) === id)

  const forget = (quais: readonly ResendRequest[]): void => {
    const eram = quais.filter((pedido) => requests.delete(pedido))
    if (eram.length === 0 || closed) return
    gravar().catch((error: unknown) => logFailure(error, 'resend request not deleted'))
  }

  const retry = async (id: string): Promise<void> => {
    const other = andando.get(id)
    if (other !== undefined) return void (other.vez = 0)
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
        (error: unknown) => error instanceof SendRefused,
      )
      // A request that was repeated during the send stays, because that device could not decrypt this copy either.
      if (feito) forget(respondidos.filter(([pedido, vez]) => requests.get(pedido) === vez).map(([pedido]) => pedido))
    }
    andando.delete(id)
  }

  const retomar = (): void => {
    load()
      .then(() => Promise.all([...new Set([...requests.keys()].map(requestedIdOf))].map(retry)))
      .catch(async (error: unknown) => {
        logFailure(error, 'resend requests not read, retrying')
        await dormir(delays(0), undefined, { ref: false })
        if (!isStopped()) retomar()
      })
  }

  return {
    requested: async (id, quem) => {
      await load()
      record(`${id}/${quem}`)
      const [old] = requests.keys()
      if (requests.size > REMEMBERED && old !== undefined) requests.delete(old)
      await gravar()
      void dormir(graceMs, undefined, { ref: false }).then(() => retry(id))
    },
    delivered: (id, quem) => forget([`${id}/${quem}`]),
    refused: (id) => void retry(id),
    resume: retomar,
    close: () => {
      closed = true
      return escrita
    },
  }
}

type ResendRequest = `${string}/${string}`

const isResendRequest = (text: string): text is ResendRequest => text.includes('/')

const requestedIdOf = (request: ResendRequest): string => request.slice(0, request.indexOf('/'))

const requesterOf = (request: ResendRequest): string => request.slice(request.indexOf('/') + 1)
