/** The customers played in this browser tab: whoever wrote before can write again with one touch. */

export interface ClienteSimulado {
  readonly nome: string
  /** As typed; the server finds the contact by any form of its number. */
  readonly telefone: string
}

const CHAVE = 'simulador:clientes'
const MANTIDOS = 6
const PRIMEIRO: ClienteSimulado = { nome: 'Marina Duarte', telefone: '(11) 91234-5678' }

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

const digitos = (telefone: string): string => telefone.replace(/\D/g, '')

export function mesmoCliente(a: ClienteSimulado, b: ClienteSimulado): boolean {
  return digitos(a.telefone) === digitos(b.telefone)
}

/** The list with this customer in front, kept for the tab's life. */
export function lembrarCliente(
  clientes: readonly ClienteSimulado[],
  cliente: ClienteSimulado,
): readonly ClienteSimulado[] {
  const novos = [cliente, ...clientes.filter((outro) => !mesmoCliente(outro, cliente))].slice(0, MANTIDOS)
  sessionStorage.setItem(CHAVE, JSON.stringify(novos))
  return novos
}

/** Enough digits to be a telephone with area code. */
export function telefoneValido(telefone: string): boolean {
  const quantos = digitos(telefone).length
  return quantos >= 10 && quantos <= 15
}
