import type { AdminConfiguracoes } from '@balcao/contract/entities/admin'
import { Mail } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { avisar } from '#shared/avisos.ts'
import { mensagemDe } from '#shared/dados/erro.ts'
import { formatDateTime } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import { Card } from '#shared/ui/card.tsx'
import { Chip } from '#shared/ui/chip.tsx'
import { EmptyState, ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { useConfiguracoes, useEmails, useSalvarConfiguracoes } from './dados.ts'

export function ConfiguracoesAba() {
  const { data, error, refetch } = useConfiguracoes()
  return (
    <div className="grid gap-5">
      {error !== null && data === undefined ? (
        <ErrorState mensagem={error.message} onTentar={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton className="h-80 w-full" />
      ) : (
        <Formulario key={JSON.stringify(data)} guardadas={data} />
      )}
      <EmailsEnviados />
    </div>
  )
}

/** What new accounts get, and who may make one. */
function Formulario({ guardadas }: { guardadas: AdminConfiguracoes }) {
  const [usuarios, setUsuarios] = useState(String(guardadas.limiteUsuariosPorPlano))
  const [mensagens, setMensagens] = useState(String(guardadas.mensagensPorDia))
  const [registro, setRegistro] = useState(guardadas.permitirAutoRegistro)
  const [emails, setEmails] = useState(guardadas.notificacoesEmail)
  const { mutateAsync, isPending } = useSalvarConfiguracoes()
  const salvar = async (evento: FormEvent): Promise<void> => {
    evento.preventDefault()
    try {
      await mutateAsync({
        limiteUsuariosPorPlano: Math.round(Number(usuarios)) || 100,
        mensagensPorDia: Math.round(Number(mensagens)) || 1000,
        permitirAutoRegistro: registro,
        notificacoesEmail: emails,
      })
      avisar.sucesso('Configurações salvas com sucesso!')
    } catch (erro) {
      avisar.erro(`Erro ao salvar alterações: ${mensagemDe(erro)}`)
    }
  }
  return (
    <Card titulo="Configurações do sistema">
      <form noValidate onSubmit={(evento) => void salvar(evento)} className="grid gap-5">
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            rotulo="Limite de usuários por plano"
            type="number"
            min={1}
            value={usuarios}
            dica="Quantas contas o cadastro aberto aceita."
            onChange={({ currentTarget }) => setUsuarios(currentTarget.value)}
          />
          <TextField
            rotulo="Mensagens por dia"
            type="number"
            min={1}
            value={mensagens}
            dica="O limite com que cada conta nova começa."
            onChange={({ currentTarget }) => setMensagens(currentTarget.value)}
          />
        </div>
        <Switch
          rotulo="Permitir auto-registro"
          dica="Desligado, a página de cadastro some e só você cria contas."
          ligado={registro}
          onMudar={setRegistro}
        />
        <Switch
          rotulo="Notificações por e-mail"
          dica="Desligado, só a redefinição de senha é enviada."
          ligado={emails}
          onMudar={setEmails}
        />
        <Button type="submit" variante="primary" ocupado={isPending} className="w-fit">
          {isPending ? 'Salvando…' : 'Salvar'}
        </Button>
      </form>
    </Card>
  )
}

function EmailsEnviados() {
  const { data: emails, isPending, error, refetch } = useEmails()
  return (
    <Card
      titulo="E-mails enviados"
      acoes={
        <Button tamanho="sm" onClick={() => void refetch()}>
          Atualizar
        </Button>
      }
    >
      {error !== null && emails === undefined && (
        <ErrorState mensagem={error.message} onTentar={() => void refetch()} />
      )}
      {isPending && <Skeleton className="h-24 w-full" />}
      {emails?.length === 0 && (
        <EmptyState titulo="Nenhum e-mail ainda" icone={<Mail size={22} aria-hidden />}>
          Aprovações, redefinições de senha e avisos de limite aparecem aqui.
        </EmptyState>
      )}
      <ul className="divide-y divide-line">
        {emails?.map(({ id, para, assunto, texto, criadoEm, enviadoEm, erro }) => (
          <li key={id}>
            <details className="py-2">
              <summary className="flex flex-wrap items-center gap-x-3 gap-y-1 py-1">
                <span className="min-w-0 flex-1 truncate font-semibold">{assunto}</span>
                <span className="truncate text-sm text-muted">{para}</span>
                <Chip tom={enviadoEm !== undefined ? 'verde' : erro !== undefined ? 'vermelho' : 'amarelo'}>
                  {enviadoEm !== undefined ? 'Enviado' : erro !== undefined ? 'Falhou' : 'Guardado'}
                </Chip>
                <time dateTime={criadoEm} className="text-sm text-muted tabular-nums">
                  {formatDateTime(criadoEm)}
                </time>
              </summary>
              {erro !== undefined && <p className="mt-1 text-sm font-semibold text-danger-ink">{erro}</p>}
              <p className="mt-1 rounded-lg bg-sunken p-3 text-sm break-words whitespace-pre-wrap">{texto}</p>
            </details>
          </li>
        ))}
      </ul>
    </Card>
  )
}
