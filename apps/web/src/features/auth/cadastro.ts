import { SENHA_MINIMO } from '@balcao/contract/constants'
import { TEXTS } from '#shared/textos.ts'
import { refuse, fieldText, type FormRefusal } from './use-envio.ts'

export const REGISTRATION_FIELDS = ['nome', 'email', 'telefone', 'empresa', 'senha'] as const

export interface RegistrationValues {
  readonly nome: string
  readonly email: string
  readonly telefone: string
  readonly empresa: string
  readonly senha: string
}

export function readRegistration(data: FormData): RegistrationValues {
  return {
    nome: fieldText(data, 'nome').trim(),
    email: fieldText(data, 'email').trim(),
    telefone: fieldText(data, 'telefone').replace(/\D/g, ''),
    empresa: fieldText(data, 'empresa').trim(),
    senha: fieldText(data, 'senha'),
  }
}

/** Returns the first error in field order, or null. Only the server validates the e-mail address. */
export function checkRegistration(data: FormData): FormRefusal | null {
  const cadastro = readRegistration(data)
  if (cadastro.nome === '') return refuse('nome', TEXTS.nomeObrigatorio)
  if (cadastro.email === '') return refuse('email', TEXTS.emailObrigatorio)
  const senha = checkPasswords(data)
  if (senha !== null) return senha
  return data.has('termos') ? null : refuse('termos', TEXTS.aceiteTermos)
}

export function checkPasswords(data: FormData): FormRefusal | null {
  const senha = fieldText(data, 'senha')
  if (senha.length < SENHA_MINIMO) return refuse('senha', TEXTS.senhaCurta)
  if (senha !== fieldText(data, 'confirmarSenha')) return refuse('confirmarSenha', TEXTS.senhasDiferentes)
  return null
}
