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

interface Ocasiao {
  readonly titulo: string
  readonly resumo?: string
  readonly rotulo: string
  readonly salvar: string
  readonly feito: string
  /** Why the login opens, said there. */
  readonly aviso: 'senha' | 'convite'
}

const NOVA_SENHA: Ocasiao = {
  titulo: 'Criar nova senha',
  rotulo: 'Nova senha',
  salvar: 'Salvar nova senha',
  feito: TEXTOS.senhaRedefinida,
  aviso: 'senha',
}

/** The first password of who was invited to serve. */
const CONVITE: Ocasiao = {
  titulo: 'Crie sua senha para atender',
  resumo: 'Este é o seu convite para a equipe. Depois é só entrar com o e-mail em que ele chegou e esta senha.',
  rotulo: 'Sua senha',
  salvar: 'Criar senha',
  feito: 'Senha criada com sucesso!',
  aviso: 'convite',
}

/** The page that the e-mail links to: `?token=` works once, for one hour; an invitation's (`&convite=1`), for a week. */
export function ResetScreen() {
  const { token, convite } = useSearch({ from: '/redefinir-senha' })
  const { encerrar } = useSessao()
  const navigate = useNavigate()
  const ocasiao = convite === undefined ? NOVA_SENHA : CONVITE
  const redefinir = async (dados: FormData): Promise<Recusa | null> => {
    const falha = checkSenhas(dados)
    if (falha !== null) return falha
    try {
      await call(redefinirSenhaRoute, { body: { token: token ?? '', senha: texto(dados, 'senha') } })
      // The server ended every session of this person; the one of this browser, if any, goes too.
      encerrar()
      avisar.sucesso(ocasiao.feito)
      await navigate({ to: '/login', search: { aviso: ocasiao.aviso } })
      return null
    } catch (erro) {
      const recusa = recusaDe(erro, redefinirSenhaRoute.erroPadrao, ['senha', 'token'])
      return recusa.campo === 'token' ? { ...recusa, campo: null, codigo: 'tokenInvalido' } : recusa
    }
  }
  const { recusa, ocupado, onSubmit, erroDe } = useEnvio(redefinir, 'senha')
  if (token === undefined || recusa?.codigo === 'tokenInvalido') {
    return ocasiao === CONVITE ? <ConviteInvalido /> : <LinkInvalido />
  }
  return (
    <AuthLayout titulo={ocasiao.titulo} resumo={ocasiao.resumo}>
      <form noValidate onSubmit={onSubmit} className="space-y-4">
        <RecusaDoFormulario recusa={recusa} />
        <NovaSenha rotulo={ocasiao.rotulo} erroDe={erroDe} />
        <Button type="submit" variante="primary" tamanho="lg" ocupado={ocupado} className="w-full">
          {ocupado ? 'Salvando...' : ocasiao.salvar}
        </Button>
      </form>
    </AuthLayout>
  )
}

function ConviteInvalido() {
  return (
    <AuthLayout titulo="Este convite não vale mais">
      <p role="alert" className="text-muted">
        Ele venceu, já foi usado ou veio incompleto. Se você já criou a senha, é só entrar. Se não, peça outro link com
        o e-mail em que recebeu o convite.
      </p>
      <div className="mt-6 flex flex-wrap gap-3">
        <Link to="/login" className="btn btn-primary btn-lg">
          Entrar
        </Link>
        <Link to="/forgot-password" className="btn btn-outline btn-lg">
          Pedir outro link
        </Link>
      </div>
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
