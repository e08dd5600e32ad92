import { Link, useSearch } from '@tanstack/react-router'
import { TEXTOS } from '#shared/textos.ts'
import { AuthLayout } from './auth-layout.tsx'
import { ConviteScreen } from './convite-screen.tsx'
import { FormularioDaSenha } from './formulario-da-senha.tsx'
import { useRedefinir } from './use-redefinir.ts'

/** Target of e-mail links. A reset token works once within 1 hour, an invitation (`&convite=1`) within 1 week. */
export function ResetScreen() {
  const { token, convite } = useSearch({ from: '/redefinir-senha' })
  return convite === undefined ? <NovaSenhaScreen token={token} /> : <ConviteScreen key={token} token={token} />
}

function NovaSenhaScreen({ token }: { token: string | undefined }) {
  const envio = useRedefinir(token, { feito: TEXTOS.senhaRedefinida, aviso: 'senha' })
  if (token === undefined || envio.recusa?.codigo === 'tokenInvalido') return <LinkInvalido />
  return (
    <AuthLayout titulo="Criar nova senha">
      <FormularioDaSenha envio={envio} rotulo="Nova senha" salvar="Salvar nova senha" />
    </AuthLayout>
  )
}

function LinkInvalido() {
  return (
    <AuthLayout titulo="Este link não vale mais">
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
