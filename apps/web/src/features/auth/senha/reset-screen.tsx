import { Link, useSearch, useNavigate } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Convite } from '@balcao/contract/entities/operador'
import { conviteRoute, redefinirSenhaRoute } from '@balcao/contract/routes/acesso'
import { TEXTS } from '#shared/texts.ts'
import { AuthLayout } from '#features/auth/auth-layout.tsx'
import { ApiError, call } from '#shared/api-client.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { formatDate } from '#shared/format.ts'
import { ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { Button } from '#shared/ui/button.tsx'
import {
  FormRefusalNotice,
  type AuthForm,
  type FormRefusal,
  refusalOf,
  fieldText,
  useAuthForm,
} from '#features/auth/auth-form.tsx'
import { NewPassword } from './new-password.tsx'
import { notify } from '#shared/avisos.ts'
import { useLoginSession } from '#shared/session.tsx'
import { checkPasswords } from '#features/auth/cadastro/registration.ts'

interface PasswordFormProps {
  readonly form: AuthForm
  readonly label: string
  readonly saveLabel: string
  readonly children?: ReactNode
}

function PasswordForm({ form, label, saveLabel, children }: PasswordFormProps) {
  const { refusal, busy, onSubmit, errorOf } = form
  return (
    <form noValidate onSubmit={onSubmit} className="space-y-4">
      <FormRefusalNotice refusal={refusal} />
      {children}
      <NewPassword label={label} errorOf={errorOf} />
      <Button type="submit" variant="primary" size="lg" busy={busy} className="w-full">
        {busy ? 'Salvando...' : saveLabel}
      </Button>
    </form>
  )
}

const TITLE = 'Crie sua senha para atender'
const REPLACED_TEXT = 'Este convite já foi usado ou trocado por um mais novo.'

function OpenConvite({ token }: { token: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['convite', token],
    queryFn: ({ signal }) => call(conviteRoute, { query: { token }, signal }),
    // Not refetched: once used, the same link answers that it has expired.
    staleTime: Infinity,
    gcTime: 0,
    networkMode: 'always',
  })
  if (data !== undefined) return <CreateSenha token={token} convite={data} />
  if (error === null) return <LoadingConvite />
  if (error instanceof ApiError && [400, 404, 410].includes(error.status))
    return <ExpiredConvite reason={error.message} />
  return (
    <AuthLayout title={TITLE}>
      <ErrorState message={errorMessage(error)} onRetry={() => void refetch()} />
    </AuthLayout>
  )
}

function LoadingConvite() {
  return (
    <AuthLayout title={TITLE}>
      <div role="status" aria-label="Abrindo o convite" aria-busy="true" className="grid gap-4">
        <Skeleton className="h-12 w-full" />
        <Skeleton className="h-12 w-full" />
        <Skeleton className="h-12 w-full" />
      </div>
    </AuthLayout>
  )
}

function CreateSenha({ token, convite: { empresa, email, expiraEm } }: { token: string; convite: Convite }) {
  const form = useResetPassword(token, { successText: 'Senha criada com sucesso!', aviso: 'convite' })
  if (form.refusal?.code === 'tokenInvalido') return <ExpiredConvite reason={REPLACED_TEXT} />
  const invitation = empresa === '' ? 'Você recebeu um convite' : `${empresa} convidou você`
  return (
    <AuthLayout
      title={TITLE}
      summary={`${invitation} para conversar com os clientes no WhatsApp. O convite vale até ${formatDate(expiraEm)}.`}
    >
      <PasswordForm form={form} label="Sua senha" saveLabel="Criar senha">
        <TextField
          label="Seu e-mail"
          type="email"
          autoComplete="username"
          readOnly
          value={email}
          hint="É com ele que você vai entrar."
          className="min-h-12"
        />
      </PasswordForm>
    </AuthLayout>
  )
}

function ExpiredConvite({ reason }: { reason: string }) {
  return (
    <DeadLink
      title="Este convite não vale mais"
      text={`${reason} Se você já criou a senha, é só entrar. Se não, peça a quem convidou você que reenvie o convite, ou peça outro link com o seu e-mail.`}
    >
      <Link to="/login" className="btn btn-primary btn-lg">
        Entrar
      </Link>
      <Link to="/forgot-password" className="btn btn-outline btn-lg">
        Pedir outro link
      </Link>
    </DeadLink>
  )
}

function DeadLink({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <AuthLayout title={title}>
      <p role="alert" className="text-muted">
        {text}
      </p>
      <div className="mt-6 flex flex-wrap gap-3">{children}</div>
    </AuthLayout>
  )
}

/** Target of e-mail links. A reset token works once within 1 hour, an invitation (`&convite=1`) within 1 week. */
export function ResetScreen() {
  const { token, convite } = useSearch({ from: '/redefinir-senha' })
  if (convite === undefined) return <NewPasswordScreen token={token} />
  if (token === undefined) return <ExpiredConvite reason="O link veio incompleto." />
  return <OpenConvite key={token} token={token} />
}

function NewPasswordScreen({ token }: { token: string | undefined }) {
  const form = useResetPassword(token, { successText: TEXTS.senhaRedefinida, aviso: 'senha' })
  if (token === undefined || form.refusal?.code === 'tokenInvalido') return <InvalidLink />
  return (
    <AuthLayout title="Criar nova senha">
      <PasswordForm form={form} label="Nova senha" saveLabel="Salvar nova senha" />
    </AuthLayout>
  )
}

function InvalidLink() {
  return (
    <DeadLink
      title="Este link não vale mais"
      text="Ele expirou, já foi usado ou veio incompleto. Peça outro: chega em instantes."
    >
      <Link to="/forgot-password" className="btn btn-primary btn-lg">
        Pedir outro link
      </Link>
      <Link to="/login" className="btn btn-outline btn-lg">
        Voltar para o login
      </Link>
    </DeadLink>
  )
}

interface ResetOutcome {
  readonly successText: string
  readonly aviso: 'senha' | 'convite'
}

function useResetPassword(token: string | undefined, { successText, aviso }: ResetOutcome): AuthForm {
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
