import { redefinirSenhaRoute } from '@balcao/contract/routes/acesso'
import { useNavigate } from '@tanstack/react-router'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { useLoginSession } from '#shared/session.tsx'
import { checkPasswords } from '#features/auth/cadastro/registration.ts'
import { type AuthForm, type FormRefusal, refusalOf, fieldText, useAuthForm } from '#features/auth/use-auth-form.ts'

export interface ResetOutcome {
  readonly successText: string
  readonly aviso: 'senha' | 'convite'
}

/**
 * Sets a password with the token of an e-mail link, then opens the login. An expired link gives the code
 * `tokenInvalido`.
 */
export function useResetPassword(token: string | undefined, { successText, aviso }: ResetOutcome): AuthForm {
  const { end } = useLoginSession()
  const navigate = useNavigate()
  const reset = async (data: FormData): Promise<FormRefusal | null> => {
    const failure = checkPasswords(data)
    if (failure !== null) return failure
    try {
      await call(redefinirSenhaRoute, { body: { token: token ?? '', senha: fieldText(data, 'senha') } })
      // The server closed all sessions of this user, so the local one ends too.
      end()
      notify.sucesso(successText)
      await navigate({ to: '/login', search: { aviso } })
      return null
    } catch (error) {
      const refusal = refusalOf(error, redefinirSenhaRoute.fallbackError, ['senha', 'token'])
      return refusal.field === 'token' ? { ...refusal, field: null, code: 'tokenInvalido' } : refusal
    }
  }
  return useAuthForm(reset, 'senha')
}
