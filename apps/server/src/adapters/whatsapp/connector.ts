import type { FastifyBaseLogger } from 'fastify'
import type { WhatsappOptions } from '@balcao/whatsapp/connector'
import { createSaida } from '#adapters/saida/saida.ts'
import {
  type Connector,
  type ConnectorFactory,
  EnvioAdiado,
  EnvioFalhou,
  EnvioRecusado,
  type SessionHost,
} from '#ports/messaging.ts'

/** Larger than any file that WhatsApp sends us. */
const MAXIMO_BYTES = 8 * 1024 * 1024
const PRAZO_MS = 20_000

export interface AdapterOptions extends Omit<WhatsappOptions, 'registrar' | 'buscar'> {
  readonly log: Pick<FastifyBaseLogger, 'warn' | 'error'>
}

/**
 * Connector of `@balcao/whatsapp`, a separately licensed package. It is loaded with the first bot that uses it, so
 * other servers neither load it nor accept its licence.
 */
export function createWhatsapp({ log, ...opcoes }: AdapterOptions): ConnectorFactory {
  const { midiaUrl } = opcoes
  const buscar = createSaida({
    doPrograma: [],
    abaixoDe: 'whatsapp.net',
    doAmbiente: midiaUrl === undefined ? [] : [midiaUrl],
    maximoBytes: MAXIMO_BYTES,
    prazoMs: PRAZO_MS,
  })
  const carregar = async (host: SessionHost): Promise<Omit<Connector, 'capacidades'>> => {
    const { createWhatsapp: create } = await import('@balcao/whatsapp/connector')
    const { contaId } = host
    return create({ ...opcoes, buscar, registrar: (err, oQue) => log.warn({ err, contaId }, `whatsapp: ${oQue}`) })(
      host,
    )
  }

  return (host) => {
    let sessao: ReturnType<typeof carregar> | undefined
    let aberta: Awaited<ReturnType<typeof carregar>> | undefined
    return {
      capacidades: { digitando: true },
      silencioMs: () => aberta?.silencioMs() ?? null,
      start: async () => {
        sessao ??= carregar(host)
        try {
          aberta = await sessao
        } catch (error) {
          log.error({ err: error, contaId: host.contaId }, 'whatsapp: connector not loaded')
          return host.estado({ tipo: 'encerrado', status: 'ERRO', motivo: 'erroInterno' })
        }
        // A failure here comes from the store and is transient; the runtime starts the session again.
        await aberta.start()
      },
      stop: async () => (await sessao)?.stop(),
      // A stopped session still has a linked phone to unlink.
      logout: async () => (await (sessao ??= carregar(host))).logout(),
      send: async (mensagem) => {
        if (sessao === undefined) throw new EnvioFalhou('sem conexão com o WhatsApp')
        try {
          await (await sessao).send(mensagem)
        } catch (error) {
          throw paraFora(error)
        }
      },
      codigo: async (telefone) => {
        try {
          return (await (await sessao)?.codigo?.(telefone)) ?? null
        } catch (error) {
          throw paraFora(error)
        }
      },
      digitando: (endereco) => void sessao?.then((conector) => conector.digitando(endereco)).catch(() => undefined),
    }
  }
}

/** The package is loaded lazily, so its error classes are recognised by name. */
function paraFora(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  if (error.name === 'Falhou') return new EnvioFalhou(error.message)
  if (error.name === 'Recusada') return new EnvioRecusado(error.message)
  if (error.name !== 'Adiada' || !('esperaMs' in error)) return error
  return new EnvioAdiado(error.message, Number(error.esperaMs))
}
