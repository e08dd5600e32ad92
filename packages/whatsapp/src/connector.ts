import './remendos/index.ts'
import type { Anfitriao, Conector } from './anfitriao.ts'
import { enderecoDoServidor, nestaMaquina } from './servidor.ts'
import { createSessao, type SessaoOptions } from './sessao.ts'

export interface WhatsappOptions extends Omit<SessaoOptions, 'url'> {
  /** Another server than WhatsApp's: refused unless it is on this machine. */
  readonly url?: string | undefined
}

/** Makes sessions of WhatsApp Web without a browser. Throws at once on an address that is not allowed. */
export function createWhatsapp({ url, midiaUrl, ...opcoes }: WhatsappOptions): (host: Anfitriao) => Conector {
  const destino = enderecoDoServidor(url)
  const arquivos = midiaUrl === undefined ? undefined : nestaMaquina(midiaUrl, ['http:'])
  // A network of this machine bans nobody, and its people do not wait.
  const ritmo = opcoes.ritmo ?? (destino === enderecoDoServidor(undefined) ? {} : 'livre')
  return (host) => createSessao(host, { ...opcoes, ritmo, url: destino, midiaUrl: arquivos })
}
