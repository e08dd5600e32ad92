import { Link, useSearch } from '@tanstack/react-router'
import { TEXTS } from '#shared/texts.ts'
import { AuthLayout } from '#features/auth/auth-layout.tsx'
import { ConviteScreen } from './convite-screen.tsx'
import { PasswordForm } from './password-form.tsx'
import { useResetPassword } from './use-reset-password.ts'

/** Target of e-mail links. A reset token works once within 1 hour, an invitation (`&convite=1`) within 1 week. */
export function ResetScreen() {
  const { token, convite } = useSearch({ from: '/redefinir-senha' })
  return convite === undefined ? <NewPasswordScreen token={token} /> : <ConviteScreen key={token} token={token} />
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
    <AuthLayout title="Este link não vale mais">
      <p role="alert" className="text-muted">
        Ele expirou, já foi usado ou veio incompleto. Peça outro: chega em instantes.
      </p>
      <div className="mt-6 flex flex-wrap gap-3">
        <Link to="/forgot-password" className="btn btn-primary btn-lg">
          Pedir outro link
        </Link>
        <Link to="/login" className="btn btn-outline btn-lg">
          Voltar para o login
        </Link>
      </div>
    </AuthLayout>
  )
}
