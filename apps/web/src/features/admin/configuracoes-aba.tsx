import { LIMITE_MENSAGENS_DIA_PADRAO, LIMITE_USUARIOS_POR_PLANO_PADRAO } from '@balcao/contract/constants'
import type { AdminConfiguracoes } from '@balcao/contract/entities/admin'
import { useState, type FormEvent } from 'react'
import { avisar } from '#shared/avisos.ts'
import { restam } from '#shared/dados/restam.ts'
import { useUnsavedGuard } from '#shared/hooks/use-unsaved-guard.ts'
import { Button } from '#shared/ui/button.tsx'
import { Card } from '#shared/ui/card.tsx'
import { SairSemSalvar } from '#shared/ui/sair-sem-salvar.tsx'
import { ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { avisarErro } from './acoes.ts'
import { useConfiguracoes, useSalvarConfiguracoes } from './dados.ts'
import { EmailsEnviados } from './emails-enviados.tsx'
import { lerInteiro } from './numero.ts'

const USUARIOS_MAXIMO = 1_000_000
const MENSAGENS_MAXIMO = 1_000_000_000

export function ConfiguracoesAba() {
  const { data, error, refetch } = useConfiguracoes()
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
      <Card titulo="Configurações do sistema" aria-busy={data === undefined}>
        {error !== null && data === undefined ? (
          <ErrorState mensagem={error.message} onTentar={() => void refetch()} />
        ) : data === undefined ? (
          <div className="grid gap-5">
            <Skeleton className="h-16 w-full" />
            <Skeleton className="h-16 w-full" />
            <Skeleton className="h-12 w-full" />
            <Skeleton className="h-12 w-full" />
          </div>
        ) : (
          <Formulario guardadas={data} />
        )}
      </Card>
      <EmailsEnviados />
    </div>
  )
}

/** Raw field texts: numbers are parsed on save. */
interface Rascunho {
  readonly usuarios: string
  readonly mensagens: string
  readonly registro: boolean
  readonly emails: boolean
}

const CAMPOS = ['usuarios', 'mensagens', 'registro', 'emails'] as const

function rascunhoDe(guardadas: AdminConfiguracoes): Rascunho {
  return {
    usuarios: String(guardadas.limiteUsuariosPorPlano),
    mensagens: String(guardadas.mensagensPorDia),
    registro: guardadas.permitirAutoRegistro,
    emails: guardadas.notificacoesEmail,
  }
}

function Formulario({ guardadas }: { guardadas: AdminConfiguracoes }) {
  const [edicoes, setEdicoes] = useState<Partial<Rascunho>>({})
  const inicial = rascunhoDe(guardadas)
  const atual: Rascunho = { ...inicial, ...edicoes }
  const mudar = (mudanca: Partial<Rascunho>): void => setEdicoes((antes) => ({ ...antes, ...mudanca }))
  const mudou = (campo: keyof Rascunho): boolean => atual[campo] !== inicial[campo]
  const usuarios = lerInteiro(atual.usuarios, LIMITE_USUARIOS_POR_PLANO_PADRAO, USUARIOS_MAXIMO)
  const mensagens = lerInteiro(atual.mensagens, LIMITE_MENSAGENS_DIA_PADRAO, MENSAGENS_MAXIMO)
  const { mutateAsync, isPending } = useSalvarConfiguracoes()
  const alterado = CAMPOS.some(mudou)
  const guarda = useUnsavedGuard(alterado && !isPending)

  const salvar = async (evento: FormEvent): Promise<void> => {
    evento.preventDefault()
    if (usuarios === null || mensagens === null) return
    try {
      // Sends only the changed fields, so that changes by another administrator are kept.
      if (alterado)
        await mutateAsync({
          ...(mudou('usuarios') ? { limiteUsuariosPorPlano: usuarios } : {}),
          ...(mudou('mensagens') ? { mensagensPorDia: mensagens } : {}),
          ...(mudou('registro') ? { permitirAutoRegistro: atual.registro } : {}),
          ...(mudou('emails') ? { notificacoesEmail: atual.emails } : {}),
        })
      setEdicoes((agora) => restam(agora, edicoes))
      avisar.sucesso('Configurações salvas com sucesso!')
    } catch (erro) {
      avisarErro('Erro ao salvar alterações', erro)
    }
  }
  return (
    <form noValidate onSubmit={(evento) => void salvar(evento)} className="grid gap-5">
      <TextField
        rotulo="Limite de usuários por plano"
        type="number"
        min={1}
        inputMode="numeric"
        value={atual.usuarios}
        dica="Com este número de contas em um plano, novos cadastros nele são recusados."
        erro={usuarios === null ? 'Informe um número inteiro, a partir de 1' : undefined}
        onChange={({ currentTarget }) => mudar({ usuarios: currentTarget.value })}
      />
      <TextField
        rotulo="Mensagens por dia"
        type="number"
        min={1}
        inputMode="numeric"
        value={atual.mensagens}
        dica="O limite com que cada conta nova começa."
        erro={mensagens === null ? 'Informe um número inteiro, a partir de 1' : undefined}
        onChange={({ currentTarget }) => mudar({ mensagens: currentTarget.value })}
      />
      <Switch
        rotulo="Permitir auto-registro"
        dica="Desligado, a página de cadastro fecha e só você cria contas."
        ligado={atual.registro}
        onMudar={(registro) => mudar({ registro })}
      />
      <Switch
        rotulo="Notificações por e-mail"
        dica="Desligado, só a redefinição de senha é enviada."
        ligado={atual.emails}
        onMudar={(emails) => mudar({ emails })}
      />
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          variante="primary"
          className="min-h-11"
          ocupado={isPending}
          disabled={usuarios === null || mensagens === null}
        >
          {isPending ? 'Salvando…' : 'Salvar'}
        </Button>
        {alterado && !isPending && (
          <Button variante="ghost" className="min-h-11" onClick={() => setEdicoes({})}>
            Descartar
          </Button>
        )}
      </div>
      <SairSemSalvar guarda={guarda}>As alterações desta página ainda não foram salvas.</SairSemSalvar>
    </form>
  )
}
