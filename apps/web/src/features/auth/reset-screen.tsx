import { redefinirSenhaRoute } from '@balcao/contract/routes/auth'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { call } from '#shared/api-client.ts'
import { avisar } from '#shared/avisos.ts'
import { useSessao } from '#shared/session.tsx'
import { TEXTOS } from '#shared/textos.ts'
import { Button } from '#shared/ui/button.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { checkSenhas } from './cadastro.ts'
import { NovaSenha } from './nova-senha.tsx'
import { RecusaDoFormulario } from './recusa-do-formulario.tsx'
import { recusaDe, texto, useEnvio, type Recusa } from './use-envio.ts'

/** The page that the e-mail links to: `?token=` works once, for one hour. */
export function ResetScreen() {
  const { token } = useSearch({ from: '/redefinir-senha' })
  const { encerrar } = useSessao()
  const navigate = useNavigate()
  const redefinir = async (dados: FormData): Promise<Recusa | null> => {
    const falha = checkSenhas(dados)
    if (falha !== null) return falha
    try {
      await call(redefinirSenhaRoute, { body: { token: token ?? '', senha: texto(dados, 'senha') } })
      // The server ended every session of this person; the one of this browser, if any, goes too.
      encerrar()
      avisar.sucesso(TEXTOS.senhaRedefinida)
      await navigate({ to: '/login', search: { aviso: 'senha' } })
      return null
    } catch (erro) {
      const recusa = recusaDe(erro, redefinirSenhaRoute.erroPadrao, ['senha', 'token'])
      return recusa.campo === 'token' ? { ...recusa, campo: null, codigo: 'tokenInvalido' } : recusa
    }
  }
  const { recusa, ocupado, onSubmit, erroDe } = useEnvio(redefinir, 'senha')
  if (token === undefined || recusa?.codigo === 'tokenInvalido') return <LinkInvalido />
  return (
    <AuthLayout titulo="Criar nova senha">
      <form noValidate onSubmit={onSubmit} className="space-y-4">
        <RecusaDoFormulario recusa={recusa} />
        <NovaSenha rotulo="Nova senha" erroDe={erroDe} />
        <Button type="submit" variante="primary" tamanho="lg" ocupado={ocupado} className="w-full">
          {ocupado ? 'Salvando...' : 'Salvar nova senha'}
        </Button>
      </form>
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
