export interface SimuladorCustomer {
  readonly nome: string
  /** As typed: the server recognizes every form of the number. */
  readonly telefone: string
}

const STORAGE_KEY = 'simulador:clientes'
const CUSTOMERS_MAX = 6
const FIRST_CUSTOMER: SimuladorCustomer = { nome: 'Marina Duarte', telefone: '(11) 91234-5678' }
const NAMES = ['João Pedro', 'Beatriz Alves', 'Caio Lima', 'Marlene Souza', 'Rui Prado', 'Teresa Nunes'] as const
const AREA_CODES = [11, 21, 31, 41, 51, 61, 71, 81] as const

function isCustomer(value: unknown): value is SimuladorCustomer {
  if (typeof value !== 'object' || value === null) return false
  return 'nome' in value && typeof value.nome === 'string' && 'telefone' in value && typeof value.telefone === 'string'
}

export function readCustomers(): readonly SimuladorCustomer[] {
  try {
    const parsed: unknown = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]')
    const customers = Array.isArray(parsed) ? parsed.filter(isCustomer) : []
    return customers.length === 0 ? [FIRST_CUSTOMER] : customers
  } catch {
    return [FIRST_CUSTOMER]
  }
}

export const digitsOf = (telefone: string): string => telefone.replace(/\D/g, '')

export function isSameCustomer(a: SimuladorCustomer, b: SimuladorCustomer): boolean {
  return digitsOf(a.telefone) === digitsOf(b.telefone)
}

export function storeCustomer(
  customers: readonly SimuladorCustomer[],
  customer: SimuladorCustomer,
): readonly SimuladorCustomer[] {
  const known = customers.some((other) => isSameCustomer(other, customer))
  const fresh = known
    ? customers.map((other) => (isSameCustomer(other, customer) ? customer : other))
    : [customer, ...customers].slice(0, CUSTOMERS_MAX)
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify(fresh))
  return fresh
}

export function newSimuladorCustomer(customers: readonly SimuladorCustomer[]): SimuladorCustomer {
  const nome = NAMES.find((candidate) => !customers.some((customer) => customer.nome === candidate)) ?? 'Novo cliente'
  const [luck = 0, middle = 0, fim = 0] = crypto.getRandomValues(new Uint16Array(3))
  const fourDigits = (number: number): string => String(number % 10_000).padStart(4, '0')
  return { nome, telefone: `(${AREA_CODES[luck % AREA_CODES.length] ?? 11}) 9${fourDigits(middle)}-${fourDigits(fim)}` }
}

export function isValidPhone(telefone: string): boolean {
  const count = digitsOf(telefone).length
  return count >= 10 && count <= 15 && /^\+?[\d\s().-]{8,25}$/.test(telefone.trim())
}

/** Removes country code 55 and the ninth digit: all variants of a Brazilian mobile are one contato. */
function canonicalPhone(telefone: string): string {
  const number = digitsOf(telefone)
  const national = number.length >= 12 && number.startsWith('55') ? number.slice(2) : number
  return national.length === 11 ? national.slice(0, 2) + national.slice(3) : national
}

export function isSameContato(phone: string, otherPhone: string): boolean {
  return canonicalPhone(phone) === canonicalPhone(otherPhone)
}
