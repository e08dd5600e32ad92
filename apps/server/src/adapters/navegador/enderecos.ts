import type { ClienteWeb } from './biblioteca.ts'
import { enderecosSchema } from './formas.ts'
import { comPrazo } from './prazo.ts'

/**
 * The page writes a number as `…@c.us`, the protocol as `…@s.whatsapp.net`. Contatos are stored in the protocol's
 * form, so both connectors find the same contato.
 */

const PESSOA = /^\d+(:\d+)?@(c\.us|s\.whatsapp\.net|lid)$/
const DO_SISTEMA = '0@c.us'
const PERGUNTA_MS = 5_000
const LEMBRADAS = 5_000

export function ehPessoa(idWeb: string): boolean {
  return idWeb !== DO_SISTEMA && PESSOA.test(idWeb)
}

export function deWeb(idWeb: string): string {
  return idWeb.replace(/:\d+(?=@)/, '').replace(/@c\.us$/, '@s.whatsapp.net')
}

/** Also accepts a bare number, as the simulator and imported contatos have. */
export function paraWeb(endereco: string): string {
  if (!endereco.includes('@')) return `${endereco.replaceAll(/\D/g, '')}@c.us`
  return endereco.replace(/@s\.whatsapp\.net$/, '@c.us')
}

/** The digits of a phone address; empty for one that hides the number. */
export function telefoneDe(endereco: string): string {
  return /^(\d+)@s\.whatsapp\.net$/.exec(endereco)?.[1] ?? ''
}

export interface Pessoa {
  readonly endereco: string
  readonly outrosEnderecos: readonly string[]
  readonly telefone: string
}

export type QuemE = (idWeb: string) => Promise<Pessoa>

export function createQuemE(cliente: Pick<ClienteWeb, 'getContactLidAndPhone'>): QuemE {
  const conhecidas = new Map<string, Pessoa>()
  return async (idWeb) => {
    const conhecida = conhecidas.get(idWeb)
    if (conhecida !== undefined) return conhecida
    const endereco = deWeb(idWeb)
    const achados = await perguntar(cliente, idWeb)
    const outrosEnderecos = achados.filter((outro) => outro !== endereco)
    const telefone = [endereco, ...outrosEnderecos].map(telefoneDe).find((digitos) => digitos !== '') ?? ''
    const pessoa = { endereco, outrosEnderecos, telefone }
    // Cached only with a second address, because the page may learn it later.
    if (outrosEnderecos.length > 0) conhecidas.set(idWeb, pessoa)
    if (conhecidas.size > LEMBRADAS) conhecidas.delete(conhecidas.keys().next().value ?? '')
    return pessoa
  }
}

/** A failed lookup must not delay the message. */
async function perguntar(cliente: Pick<ClienteWeb, 'getContactLidAndPhone'>, idWeb: string): Promise<string[]> {
  try {
    const [resposta] = await comPrazo(cliente.getContactLidAndPhone([idWeb]), PERGUNTA_MS)
    const { lid, pn } = enderecosSchema.parse(resposta)
    return [pn, lid].flatMap((outro) => (outro ? [deWeb(outro)] : [])).filter((outro) => ehPessoa(outro))
  } catch {
    return []
  }
}
