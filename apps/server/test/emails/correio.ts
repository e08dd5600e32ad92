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
  readonly close: () => Promise<void>
}

export async function startMailServer(): Promise<TestMailServer> {
  const recebidos: ReceivedMail[] = []
  let recusa = false
  const servidor = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (fluxo, sessao, pronto) => {
      const partes: Buffer[] = []
      fluxo.on('data', (parte: Buffer) => partes.push(parte))
      fluxo.on('end', () => {
        if (recusa) return pronto(new Error('caixa cheia'))
        const para = sessao.envelope.rcptTo.map(({ address }) => address)
        recebidos.push({ to: para, raw: Buffer.concat(partes).toString('utf8') })
        pronto()
      })
    },
  })
  await new Promise<void>((resolve) => servidor.listen(0, '127.0.0.1', resolve))
  const { port } = requirePort(servidor.server.address())
  return {
    url: `smtp://127.0.0.1:${port}`,
    received: recebidos,
    refuse: (sim) => void (recusa = sim),
    close: () => new Promise<void>((resolve) => servidor.close(() => resolve())),
  }
}

function requirePort(valor: string | AddressInfo | null): AddressInfo {
  if (valor === null || typeof valor === 'string') throw new Error('SMTP server without a port')
  return valor
}
