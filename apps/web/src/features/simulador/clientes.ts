export interface ClienteSimulado {
  readonly nome: string
  /** As typed: the server recognizes every form of the number. */
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

/** Most recent first, never empty. */
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

/** Stores the customer in sessionStorage. A known customer keeps its position in the list. */
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

export function novoCliente(clientes: readonly ClienteSimulado[]): ClienteSimulado {
  const nome = NOMES.find((candidato) => !clientes.some((cliente) => cliente.nome === candidato)) ?? 'Novo cliente'
  const [sorte = 0, meio = 0, fim = 0] = crypto.getRandomValues(new Uint16Array(3))
  const quatro = (numero: number): string => String(numero % 10_000).padStart(4, '0')
  return { nome, telefone: `(${DDDS[sorte % DDDS.length] ?? 11}) 9${quatro(meio)}-${quatro(fim)}` }
}

export function telefoneValido(telefone: string): boolean {
  const quantos = digitos(telefone).length
  return quantos >= 10 && quantos <= 15 && /^\+?[\d\s().-]{8,25}$/.test(telefone.trim())
}

/** Removes country code 55 and the ninth digit: all variants of a Brazilian mobile are one contato. */
function semVariantes(telefone: string): string {
  const numero = digitos(telefone)
  const nacional = numero.length >= 12 && numero.startsWith('55') ? numero.slice(2) : numero
  return nacional.length === 11 ? nacional.slice(0, 2) + nacional.slice(3) : nacional
}

export function mesmoContato(umTelefone: string, outroTelefone: string): boolean {
  return semVariantes(umTelefone) === semVariantes(outroTelefone)
}
