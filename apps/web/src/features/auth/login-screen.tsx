import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { avisar } from '#shared/avisos.ts'
import { useSessao } from '#shared/session.tsx'
import { TEXTOS } from '#shared/textos.ts'
import { Button } from '#shared/ui/button.tsx'
import { Checkbox } from '#shared/ui/checkbox.tsx'
import { PasswordField } from '#shared/ui/password-field.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { AvisoDeChegada } from './aviso-de-chegada.tsx'
import { RecusaDoFormulario } from './recusa-do-formulario.tsx'
import { recusaDe, recusar, texto, useEnvio, type Recusa } from './use-envio.ts'
import { useRegistroAberto } from './use-registro-aberto.ts'

export function LoginScreen() {
  const { login } = useSessao()
  const navigate = useNavigate()
  const { aviso } = useSearch({ from: '/login' })
  const registroAberto = useRegistroAberto()

  const entrar = async (dados: FormData): Promise<Recusa | null> => {
    const email = texto(dados, 'email').trim()
    const senha = texto(dados, 'senha')
    if (email === '') return recusar('email', TEXTOS.emailObrigatorio)
    if (senha === '') return recusar('senha', TEXTOS.senhaObrigatoria)
    try {
      const { nome, tipo } = await login(email, senha, dados.has('lembrar'))
      avisar.sucesso(TEXTOS.loginSucesso)
      avisar.info(TEXTOS.bemVindo(nome))
      await navigate({ to: tipo === 'admin' ? '/admin' : '/dashboard' })
      return null
    } catch (erro) {
      return recusaDe(erro, TEXTOS.loginErro, ['email', 'senha'])
    }
  }
  const { recusa, ocupado, onSubmit, erroDe } = useEnvio(entrar, 'senha')

  return (
    <AuthLayout titulo="Entrar no painel">
      <form noValidate onSubmit={onSubmit} className="space-y-4">
        {recusa === null && <AvisoDeChegada aviso={aviso} />}
        <RecusaDoFormulario recusa={recusa} />
        <TextField
          rotulo="E-mail"
          name="email"
          type="email"
          autoComplete="username"
          required
          erro={erroDe('email')}
          className="min-h-12"
        />
        <PasswordField
          rotulo="Senha"
          name="senha"
          autoComplete="current-password"
          required
          erro={erroDe('senha')}
          className="min-h-12"
        />
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <Checkbox name="lembrar" rotulo="Lembrar-me" />
          <Link to="/forgot-password" className="py-1 text-sm font-semibold text-brand-ink hover:underline">
            Esqueci a senha
          </Link>
        </div>
        <Button type="submit" variante="primary" tamanho="lg" ocupado={ocupado} className="w-full">
          {ocupado ? 'Entrando...' : 'Entrar'}
        </Button>
      </form>
      <p className="mt-6 text-center text-muted">
        Ainda não tem conta?{' '}
        {registroAberto ? (
          <Link to="/register" className="inline-block py-1 font-semibold text-brand-ink underline underline-offset-4">
            Criar conta
          </Link>
        ) : (
          // Same height as the alternative link, so that the layout does not shift.
          <span className="inline-block py-1">Fale com o administrador.</span>
        )}
      </p>
      <section className="mt-8 rounded-card bg-sunken p-4">
        <h2 className="font-bold">Acesso Administrativo</h2>
        <Link to="/admin" className="inline-block py-1 text-sm text-brand-ink underline underline-offset-4">
          Ir para o painel do administrador
        </Link>
      </section>
    </AuthLayout>
  )
}
