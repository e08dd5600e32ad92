import { PLANOS, SENHA_MINIMO, type Plano } from '@balcao/contract/constants'
import { criarUsuarioRoute } from '@balcao/contract/routes/admin-usuarios'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type ComponentProps, type FormEvent } from 'react'
import { ApiError, call } from '#shared/api-client.ts'
import { avisar } from '#shared/avisos.ts'
import { maskPhone } from '#shared/format.ts'
import { TEXTOS } from '#shared/textos.ts'
import { Button } from '#shared/ui/button.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { PasswordField } from '#shared/ui/password-field.tsx'
import { Select } from '#shared/ui/select.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { avisarErro } from './acoes.ts'
import { conferirListas } from './dados.ts'
import { ROTULO_DO_PLANO } from './usuario-na-lista.tsx'

const VAZIO = { nome: '', email: '', telefone: '', empresa: '', senha: '' }
type Campo = keyof typeof VAZIO
type Campos = Readonly<Record<Campo, string>>
type Erros = Readonly<Partial<Record<Campo, string>>>

/** The order matters: the first error gets the focus. */
function conferir({ nome, email, senha }: Campos): Erros {
  return {
    ...(nome.trim() === '' ? { nome: TEXTOS.nomeObrigatorio } : {}),
    ...(email.trim() === '' ? { email: TEXTOS.emailObrigatorio } : {}),
    ...(senha === ''
      ? { senha: TEXTOS.senhaObrigatoria }
      : senha.length < SENHA_MINIMO
        ? { senha: TEXTOS.senhaCurta }
        : {}),
  }
}

function errosDe(erro: unknown): Erros {
  if (!(erro instanceof ApiError)) return {}
  if (erro.codigo === 'emailJaCadastrado') return { email: erro.message }
  const detalhes = erro.dados.detalhes ?? []
  return Object.fromEntries(
    detalhes.flatMap(({ caminho, mensagem }) => (Object.hasOwn(VAZIO, caminho) ? [[caminho, mensagem]] : [])),
  )
}

export interface NovoUsuarioProps {
  readonly aberto: boolean
  readonly onFechar: () => void
}

export function NovoUsuario({ aberto, onFechar }: NovoUsuarioProps) {
  return (
    <Dialog aberto={aberto} titulo="Novo usuário" onFechar={onFechar} largura="lg">
      <Formulario onFechar={onFechar} />
    </Dialog>
  )
}

function Formulario({ onFechar }: { onFechar: () => void }) {
  const cache = useQueryClient()
  const [campos, setCampos] = useState<Campos>(VAZIO)
  const [plano, setPlano] = useState<Plano>('gratuito')
  const [tipo, setTipo] = useState<'usuario' | 'admin'>('usuario')
  const [erros, setErros] = useState<Erros>({})
  const [ocupado, setOcupado] = useState(false)

  const mostrarErros = (form: HTMLFormElement, novos: Erros): boolean => {
    setErros(novos)
    const primeiro = Object.keys(novos)[0]
    if (primeiro === undefined) return false
    form.querySelector<HTMLInputElement>(`[name="${primeiro}"]`)?.focus()
    return true
  }
  const criar = async (evento: FormEvent<HTMLFormElement>): Promise<void> => {
    evento.preventDefault()
    const form = evento.currentTarget
    if (mostrarErros(form, conferir(campos))) return
    setOcupado(true)
    try {
      const body = {
        ...campos,
        telefone: campos.telefone.replace(/\D/g, ''),
        tipo,
        ...(tipo === 'admin' ? {} : { plano }),
      }
      const { usuario } = await call(criarUsuarioRoute, { body })
      conferirListas(cache)
      avisar.sucesso(`Usuário criado com sucesso!\n${usuario.nome}`)
      onFechar()
    } catch (erro) {
      if (!mostrarErros(form, errosDe(erro))) avisarErro('Erro ao criar conta', erro)
    }
    setOcupado(false)
  }
  const campo = (nome: Campo, rotulo: string): ComponentProps<typeof PasswordField> => ({
    name: nome,
    rotulo,
    autoComplete: 'off',
    value: campos[nome],
    erro: erros[nome],
    onChange: ({ currentTarget: { value } }) => {
      setCampos({ ...campos, [nome]: nome === 'telefone' ? maskPhone(value) : value })
      setErros({ ...erros, [nome]: undefined })
    },
  })
  return (
    <form noValidate onSubmit={(evento) => void criar(evento)} className="grid gap-4">
      <p className="text-muted">A conta já nasce ativa. Conte a senha à pessoa; ela pode trocá-la depois de entrar.</p>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField {...campo('nome', 'Nome')} />
        <TextField {...campo('email', 'E-mail')} type="email" autoCapitalize="none" />
        <TextField {...campo('telefone', 'Telefone')} type="tel" placeholder="(11) 98765-4321" />
        <TextField {...campo('empresa', 'Empresa')} />
        <PasswordField
          {...campo('senha', 'Senha')}
          autoComplete="new-password"
          dica={`Pelo menos ${SENHA_MINIMO} caracteres`}
        />
        <Select
          rotulo="Tipo"
          value={tipo}
          onChange={setTipo}
          opcoes={[
            { valor: 'usuario', rotulo: 'Usuário' },
            { valor: 'admin', rotulo: 'Administrador' },
          ]}
        />
        {tipo === 'usuario' && (
          <Select
            rotulo="Plano"
            value={plano}
            onChange={setPlano}
            opcoes={PLANOS.map((valor) => ({ valor, rotulo: ROTULO_DO_PLANO[valor] }))}
          />
        )}
      </div>
      <div className="flex flex-wrap justify-end gap-2">
        <Button className="min-h-11" onClick={onFechar}>
          Cancelar
        </Button>
        <Button type="submit" variante="primary" className="min-h-11" ocupado={ocupado}>
          {ocupado ? 'Criando…' : 'Criar usuário'}
        </Button>
      </div>
    </form>
  )
}
