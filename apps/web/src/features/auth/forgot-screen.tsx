import { esqueciSenhaRoute } from '@balcao/contract/routes/auth'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '#shared/api-client.ts'
import { TEXTOS } from '#shared/textos.ts'
import { Button } from '#shared/ui/button.tsx'
import { Recado } from '#shared/ui/recado.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { RecusaDoFormulario } from './recusa-do-formulario.tsx'
import { recusaDe, recusar, texto, useEnvio, type Recusa } from './use-envio.ts'

interface Pedido {
  readonly email: string
  readonly mensagem: string
}

export function ForgotScreen() {
  const [pedido, setPedido] = useState<Pedido | null>(null)
  const pedir = async (dados: FormData): Promise<Recusa | null> => {
    const email = texto(dados, 'email').trim()
    if (email === '') return recusar('email', TEXTOS.emailObrigatorio)
    try {
      const { mensagem } = await call(esqueciSenhaRoute, { body: { email } })
      setPedido({ email, mensagem })
      return null
    } catch (erro) {
      return recusaDe(erro, esqueciSenhaRoute.erroPadrao, ['email'])
    }
  }
  const { recusa, ocupado, onSubmit, erroDe } = useEnvio(pedir, 'email')
  return (
    <AuthLayout
      titulo={pedido === null ? 'Esqueci a senha' : 'Confira o seu e-mail'}
      resumo={pedido === null ? 'Informe o e-mail da sua conta e enviamos um link para criar outra senha.' : undefined}
    >
      {pedido === null ? (
        <form noValidate onSubmit={onSubmit} className="space-y-4">
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
          <Button type="submit" variante="primary" tamanho="lg" ocupado={ocupado} className="w-full">
            {ocupado ? 'Enviando...' : 'Enviar o link'}
          </Button>
        </form>
      ) : (
        <Enviado pedido={pedido} onOutro={() => setPedido(null)} />
      )}
      <p className="mt-6 text-center">
        <Link to="/login" className="inline-block py-1 font-semibold text-brand-ink underline underline-offset-4">
          Voltar para o login
        </Link>
      </p>
    </AuthLayout>
  )
}

function Enviado({ pedido, onOutro }: { pedido: Pedido; onOutro: () => void }) {
  return (
    <div className="space-y-4">
      <Recado tom="sucesso" titulo={pedido.mensagem}>
        <span className="break-words">{pedido.email}</span>
      </Recado>
      <p className="text-muted">
        O link vale por uma hora e funciona uma vez. Se não chegar em alguns minutos, olhe a caixa de spam ou fale com o
        administrador.
      </p>
      <Button className="w-full" tamanho="lg" onClick={onOutro}>
        Usar outro e-mail ou enviar de novo
      </Button>
    </div>
  )
}
