import { registrarRoute } from '@balcao/contract/routes/auth'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { call } from '#shared/api-client.ts'
import { avisar } from '#shared/avisos.ts'
import { TEXTOS } from '#shared/textos.ts'
import { AuthLayout } from './auth-layout.tsx'
import { CAMPOS_DO_CADASTRO, checkCadastro, readCadastro } from './cadastro.ts'
import { FormularioDeCadastro } from './formulario-de-cadastro.tsx'
import { recusaDe, useEnvio, type Recusa } from './use-envio.ts'
import { useRegistroAberto } from './use-registro-aberto.ts'

const CadastroFechado = lazy(async () => ({ default: (await import('./cadastro-fechado.tsx')).CadastroFechado }))

export function RegisterScreen() {
  const navigate = useNavigate()
  const aberto = useRegistroAberto()

  const registrar = async (dados: FormData): Promise<Recusa | null> => {
    const falha = checkCadastro(dados)
    if (falha !== null) return falha
    try {
      const { mensagem } = await call(registrarRoute, { body: readCadastro(dados) })
      avisar.sucesso(mensagem === '' ? TEXTOS.cadastroSucesso : mensagem)
      await navigate({ to: '/login', search: { aviso: 'aguardando' } })
      return null
    } catch (erro) {
      const recusa = recusaDe(erro, TEXTOS.cadastroErro, CAMPOS_DO_CADASTRO)
      return recusa.codigo === 'emailJaCadastrado' ? { ...recusa, campo: 'email' } : recusa
    }
  }
  const envio = useEnvio(registrar, 'nome')

  if (!aberto || envio.recusa?.codigo === 'cadastroFechado') {
    return (
      <AuthLayout titulo="Cadastro fechado por enquanto">
        <Suspense>
          <CadastroFechado />
        </Suspense>
      </AuthLayout>
    )
  }
  return (
    <AuthLayout titulo="Criar conta" resumo="Em poucos minutos a sua loja responde sozinha.">
      <FormularioDeCadastro envio={envio} />
    </AuthLayout>
  )
}
