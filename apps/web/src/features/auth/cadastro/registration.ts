import { PLANOS, type Plano, SENHA_MINIMO } from '@balcao/contract/constants'
import { TEXTS } from '#shared/texts.ts'
import { refuse, fieldText, type FormRefusal } from '#features/auth/auth-form.tsx'
import { opcoesRegistroRoute } from '@balcao/contract/routes/auth'
import { useEffect, useState } from 'react'
import { call } from '#shared/api-client.ts'

export const REGISTRATION_FIELDS = ['nome', 'email', 'telefone', 'empresa', 'senha'] as const

export interface RegistrationValues {
  readonly nome: string
  readonly email: string
  readonly telefone: string
  readonly empresa: string
  readonly senha: string
  readonly planoDesejado?: Plano
}

export function readRegistration(data: FormData): RegistrationValues {
  const plano = parsePlano(fieldText(data, 'planoDesejado'))
  return {
    nome: fieldText(data, 'nome').trim(),
    email: fieldText(data, 'email').trim(),
    telefone: fieldText(data, 'telefone').replace(/\D/g, ''),
    empresa: fieldText(data, 'empresa').trim(),
    senha: fieldText(data, 'senha'),
    ...(plano === null ? {} : { planoDesejado: plano }),
  }
}

export function parsePlano(text: string | undefined): Plano | null {
  return PLANOS.find((plano) => plano === text) ?? null
}

/** Returns the first error in field order, or null. Only the server validates the e-mail address. */
export function checkRegistration(data: FormData): FormRefusal | null {
  const registration = readRegistration(data)
  if (registration.nome === '') return refuse('nome', TEXTS.nomeObrigatorio)
  if (registration.email === '') return refuse('email', TEXTS.emailObrigatorio)
  const password = checkPasswords(data)
  if (password !== null) return password
  return data.has('termos') ? null : refuse('termos', TEXTS.aceiteTermos)
}

export function checkPasswords(data: FormData): FormRefusal | null {
  const password = fieldText(data, 'senha')
  if (password.length < SENHA_MINIMO) return refuse('senha', TEXTS.senhaCurta)
  if (password !== fieldText(data, 'confirmarSenha')) return refuse('confirmarSenha', TEXTS.senhasDiferentes)
  return null
}

interface RegistrationOptions {
  readonly open: boolean
  /** False: the server sends no mails, so no text may promise one. */
  readonly email: boolean
}

/** Both stay true unless the server says no. On registration the server checks again. */
export function useRegistrationOptions(): RegistrationOptions {
  const [options, setOptions] = useState<RegistrationOptions>({ open: true, email: true })
  useEffect(() => {
    const abort = new AbortController()
    call(opcoesRegistroRoute, { signal: abort.signal }).then(
      ({ permitirAutoRegistro, email }) => setOptions({ open: permitirAutoRegistro, email }),
      () => undefined,
    )
    return () => abort.abort()
  }, [])
  return options
}
