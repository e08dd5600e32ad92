import { opcoesRegistroRoute, registrarRoute } from '@balcao/contract/routes/auth'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { call } from '#shared/api-client.ts'
import { avisar } from '#shared/avisos.ts'
import { TEXTOS } from '#shared/textos.ts'
import { AuthLayout } from './auth-layout.tsx'
import { CAMPOS_DO_CADASTRO, checkCadastro, readCadastro } from './cadastro.ts'
import { CadastroFechado } from './cadastro-fechado.tsx'
import { FormularioDeCadastro } from './formulario-de-cadastro.tsx'
import { recusaDe, useEnvio, type Recusa } from './use-envio.ts'

export function RegisterScreen() {
  const navigate = useNavigate()
  // The form shows at once; only a clear 'no' takes it away. Without an answer the server decides at the end.
  const { data: opcoes } = useQuery({
    queryKey: ['auth', 'opcoes'],
    queryFn: ({ signal }) => call(opcoesRegistroRoute, { signal }),
  })

  const registrar = async (dados: FormData): Promise<Recusa | null> => {
    const falha = checkCadastro(dados)
    if (falha !== null) return falha
    try {
      const { mensagem } = await call(registrarRoute, { body: readCadastro(dados) })
      avisar.sucesso(mensagem === '' ? TEXTOS.cadastroSucesso : mensagem)
      await navigate({ to: '/login', search: { aviso: 'cadastro' } })
      return null
    } catch (erro) {
      const recusa = recusaDe(erro, TEXTOS.cadastroErro, CAMPOS_DO_CADASTRO)
      return recusa.codigo === 'emailJaCadastrado' ? { ...recusa, campo: 'email' } : recusa
    }
  }
  const envio = useEnvio(registrar, 'nome')

  if (opcoes?.permitirAutoRegistro === false || envio.recusa?.codigo === 'cadastroFechado') {
    return (
      <AuthLayout titulo="Cadastro fechado por enquanto">
        <CadastroFechado />
      </AuthLayout>
    )
  }
  return (
    <AuthLayout titulo="Criar conta" resumo="Em poucos minutos a sua loja responde sozinha.">
      <FormularioDeCadastro envio={envio} />
    </AuthLayout>
  )
}
