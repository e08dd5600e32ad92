/** The customers played in this browser tab: whoever wrote before can write again with one touch. */

export interface ClienteSimulado {
  readonly nome: string
  /** As typed; the server finds the contact by any form of its number. */
  readonly telefone: string
}

const CHAVE = 'simulador:clientes'
const MANTIDOS = 6
const PRIMEIRO: ClienteSimulado = { nome: 'Marina Duarte', telefone: '(11) 91234-5678' }
const NOMES = ['João Pedro', 'Beatriz Alves', 'Caio Lima', 'Marlene Souza', 'Rui Prado', 'Teresa Nunes'] as const
const DDDS = [11, 21, 31, 41, 51, 61, 71, 81] as const

function isCliente(valor: unknown): valor is ClienteSimulado {
  if (typeof valor !== 'object' || valor === null) return false
  return 'nome' in valor && typeof valor.nome === 'string' && 'telefone' in valor && typeof valor.telefone === 'string'
}

/** Most recent first; never empty. */
export function lerClientes(): readonly ClienteSimulado[] {
  try {
    const lidos: unknown = JSON.parse(sessionStorage.getItem(CHAVE) ?? '[]')
    const clientes = Array.isArray(lidos) ? lidos.filter(isCliente) : []
    return clientes.length === 0 ? [PRIMEIRO] : clientes
  } catch {
    return [PRIMEIRO]
  }
}

export const digitos = (telefone: string): string => telefone.replace(/\D/g, '')

export function mesmoCliente(a: ClienteSimulado, b: ClienteSimulado): boolean {
  return digitos(a.telefone) === digitos(b.telefone)
}

/** The list with this customer in it, kept for the tab's life. Who is there already keeps the place under the finger. */
export function lembrarCliente(
  clientes: readonly ClienteSimulado[],
  cliente: ClienteSimulado,
): readonly ClienteSimulado[] {
  const conhecido = clientes.some((outro) => mesmoCliente(outro, cliente))
  const novos = conhecido
    ? clientes.map((outro) => (mesmoCliente(outro, cliente) ? cliente : outro))
    : [cliente, ...clientes].slice(0, MANTIDOS)
  sessionStorage.setItem(CHAVE, JSON.stringify(novos))
  return novos
}

/** Somebody who never wrote: a name not in use and a number made up. */
export function novoCliente(clientes: readonly ClienteSimulado[]): ClienteSimulado {
  const nome = NOMES.find((candidato) => !clientes.some((cliente) => cliente.nome === candidato)) ?? 'Novo cliente'
  const [sorte = 0, meio = 0, fim = 0] = crypto.getRandomValues(new Uint16Array(3))
  const quatro = (numero: number): string => String(numero % 10_000).padStart(4, '0')
  return { nome, telefone: `(${DDDS[sorte % DDDS.length] ?? 11}) 9${quatro(meio)}-${quatro(fim)}` }
}

/** Enough digits to be a telephone with area code. */
export function telefoneValido(telefone: string): boolean {
  const quantos = digitos(telefone).length
  return quantos >= 10 && quantos <= 15 && /^\+?[\d\s().-]{8,25}$/.test(telefone.trim())
}

/** A Brazilian mobile with and without country code and ninth digit is one contact (decisions §3). */
function semVariantes(telefone: string): string {
  const numero = digitos(telefone)
  const nacional = numero.length >= 12 && numero.startsWith('55') ? numero.slice(2) : numero
  return nacional.length === 11 ? nacional.slice(0, 2) + nacional.slice(3) : nacional
}

export function mesmoContato(umTelefone: string, outroTelefone: string): boolean {
  return semVariantes(umTelefone) === semVariantes(outroTelefone)
}
