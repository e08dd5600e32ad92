import type { ClienteWeb } from './biblioteca.ts'
import { enderecosSchema } from './formas.ts'
import { comPrazo } from './prazo.ts'

/**
 * The page calls a number `…@c.us` where the protocol says `…@s.whatsapp.net`. Contacts are kept under the protocol's names,
 * so that one who came by the other connector is the same here.
 */

const PESSOA = /^\d+(:\d+)?@(c\.us|s\.whatsapp\.net|lid)$/
/** WhatsApp's own notices. */
const DO_SISTEMA = '0@c.us'
const PERGUNTA_MS = 5_000
const LEMBRADAS = 5_000

/** Neither a group, a list, a status nor a newsletter. */
export function ehPessoa(idWeb: string): boolean {
  return idWeb !== DO_SISTEMA && PESSOA.test(idWeb)
}

export function deWeb(idWeb: string): string {
  return idWeb.replace(/:\d+(?=@)/, '').replace(/@c\.us$/, '@s.whatsapp.net')
}

/** Also of a bare number, as it comes from the simulator or a list of contacts. */
export function paraWeb(endereco: string): string {
  if (!endereco.includes('@')) return `${endereco.replaceAll(/\D/g, '')}@c.us`
  return endereco.replace(/@s\.whatsapp\.net$/, '@c.us')
}

/** The digits of an address that is a number; empty for one that hides it. */
export function telefoneDe(endereco: string): string {
  return /^(\d+)@s\.whatsapp\.net$/.exec(endereco)?.[1] ?? ''
}

export interface Pessoa {
  readonly endereco: string
  readonly outrosEnderecos: readonly string[]
  readonly telefone: string
}

/** Who an address of the page is, with every other name that the page knows for the same person. */
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
    // Asked again while the page does not know more than we did.
    if (outrosEnderecos.length > 0) conhecidas.set(idWeb, pessoa)
    if (conhecidas.size > LEMBRADAS) conhecidas.delete(conhecidas.keys().next().value ?? '')
    return pessoa
  }
}

/** What the page cannot say now is no reason to keep a message waiting. */
async function perguntar(cliente: Pick<ClienteWeb, 'getContactLidAndPhone'>, idWeb: string): Promise<string[]> {
  try {
    const [resposta] = await comPrazo(cliente.getContactLidAndPhone([idWeb]), PERGUNTA_MS)
    const { lid, pn } = enderecosSchema.parse(resposta)
    return [pn, lid].flatMap((outro) => (outro ? [deWeb(outro)] : [])).filter((outro) => ehPessoa(outro))
  } catch {
    return []
  }
}
