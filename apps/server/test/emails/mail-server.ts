import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  readonly to: readonly string[]
  readonly raw: string
}

/** A real SMTP server on its own port that can refuse mails. */
export interface TestMailServer {
  readonly url: string
  readonly received: ReceivedMail[]
  readonly refuse: (sim: boolean) => void
  /** Accepts no recipient of this address and never answers. Returns the function that ends it. */
  readonly silence: (endereco: string) => () => void
  readonly close: () => Promise<void>
}

export async function startMailServer(): Promise<TestMailServer> {
  const recebidos: ReceivedMail[] = []
  let refusal = false
  const silent = new Map<string, (() => void)[]>()
  const servidor = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo: ({ address }, _session, ready) => {
      const held = silent.get(address)
      if (held === undefined) return ready()
      held.push(() => ready(new Error('caixa lenta')))
    },
    onData: (stream, session, ready) => {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        if (refusal) return ready(new Error('caixa cheia'))
        const para = session.envelope.rcptTo.map(({ address }) => address)
        recebidos.push({ to: para, raw: Buffer.concat(parts).toString('utf8') })
        ready()
      })
    },
  })
  // A killed process resets its connection. Without a listener that error would end the test run.
  servidor.on('error', () => undefined)
  await new Promise<void>((resolve) => servidor.listen(0, '127.0.0.1', resolve))
  const { port } = requirePort(servidor.server.address())
  return {
    url: `smtp://127.0.0.1:${port}`,
    received: recebidos,
    refuse: (sim) => void (refusal = sim),
    silence: (endereco) => {
      silent.set(endereco, [])
      return () => {
        for (const answer of silent.get(endereco) ?? []) answer()
        silent.delete(endereco)
      }
    },
    close: () => new Promise<void>((resolve) => servidor.close(() => resolve())),
  }
}

function requirePort(value: string | AddressInfo | null): AddressInfo {
  if (value === null || typeof value === 'string') throw new Error('SMTP server without a port')
  return value
}
