import './remendos/index.ts'
import type { Anfitriao, Conector } from './anfitriao.ts'
import { enderecoDoServidor, nestaMaquina } from './servidor.ts'
import { createSessao, type SessaoOptions } from './sessao.ts'

export interface WhatsappOptions extends Omit<SessaoOptions, 'url'> {
  /** Replaces WhatsApp's server. Only loopback addresses are accepted. */
  readonly url?: string | undefined
}

/** Creates connections to WhatsApp Web without a browser. Throws if an address is not allowed. */
export function createWhatsapp({ url, midiaUrl, ...opcoes }: WhatsappOptions): (host: Anfitriao) => Conector {
  const destino = enderecoDoServidor(url)
  const arquivos = midiaUrl === undefined ? undefined : nestaMaquina(midiaUrl, ['http:'])
  // A server on this machine bans no numbers, so tests run without pacing.
  const ritmo = opcoes.ritmo ?? (destino === enderecoDoServidor(undefined) ? {} : 'livre')
  return (host) => createSessao(host, { ...opcoes, ritmo, url: destino, midiaUrl: arquivos })
}
