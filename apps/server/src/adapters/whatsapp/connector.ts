import type { FastifyBaseLogger } from 'fastify'
import type { WhatsappOptions } from '@balcao/whatsapp/connector'
import { createOutbound } from '#adapters/outbound/outbound.ts'
import { SendFailed } from '@balcao/connector/errors'
import type { Connector, ConnectorFactory, SessionHost } from '@balcao/connector/port'

/** Larger than any file that WhatsApp sends us. */
const MAX_BYTES = 8 * 1024 * 1024
const TIMEOUT_MS = 20_000

export interface WhatsappAdapterOptions extends Omit<WhatsappOptions, 'logFailure' | 'fetchUrl'> {
  readonly log: Pick<FastifyBaseLogger, 'warn' | 'error'>
}

/**
 * Connector of `@balcao/whatsapp`, a separately licensed package. It is loaded with the first bot that uses it, so
 * other servers neither load it nor accept its licence.
 */
export function createWhatsappFactory({ log, ...opcoes }: WhatsappAdapterOptions): ConnectorFactory {
  const { mediaUrl } = opcoes
  const fetch = createOutbound({
    fixedOrigins: [],
    subdomainsOf: 'whatsapp.net',
    envOrigins: mediaUrl === undefined ? [] : [mediaUrl],
    maxBytes: MAX_BYTES,
    timeoutMs: TIMEOUT_MS,
  })
  const load = async (host: SessionHost): Promise<Connector> => {
    const { createWhatsapp: create } = await import('@balcao/whatsapp/connector')
    const { contaId } = host
    return create({
      ...opcoes,
      fetchUrl: fetch,
      logFailure: (err, oQue) => log.warn({ err, contaId }, `whatsapp: ${oQue}`),
    })(host)
  }

  return (host) => {
    let session: ReturnType<typeof load> | undefined
    let open: Awaited<ReturnType<typeof load>> | undefined
    return {
      silenceMs: () => open?.silenceMs() ?? null,
      start: async () => {
        session ??= load(host)
        try {
          open = await session
        } catch (error) {
          log.error({ err: error, contaId: host.contaId }, 'whatsapp: connector not loaded')
          return host.linkState({ tipo: 'encerrado', status: 'ERRO', motivo: 'erroInterno' })
        }
        // A failure here comes from the store and is transient; the runtime starts the session again.
        await open.start()
      },
      stop: async () => (await session)?.stop(),
      // A stopped session still has a linked phone to unlink.
      logout: async () => (await (session ??= load(host))).logout(),
      send: async (mensagem) => {
        if (session === undefined) throw new SendFailed('sem conexão com o WhatsApp')
        await (await session).send(mensagem)
      },
      pairingCode: async (telefone) => (await (await session)?.pairingCode?.(telefone)) ?? null,
      typing: (address) => void session?.then((conector) => conector.typing(address)).catch(() => undefined),
    }
  }
}
