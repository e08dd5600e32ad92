import { hasNumber } from '@balcao/contract/connectors'
import { OBSERVACAO_MAXIMA } from '@balcao/contract/entities/contato'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { applyToConversas } from '@balcao/contract/sync/conversas'
import { useQueryClient } from '@tanstack/react-query'
import { type ContatoChange, useContato, useSaveContato } from '#shared/data/contatos/contatos.ts'
import { changeCache, changeKnown } from '#shared/data/conversas/known-conversas.ts'
import { formatPhone } from '#shared/format.ts'
import { useUsuario } from '#shared/session.tsx'
import { CopyIconButton } from '#shared/ui/copy-icon-button.tsx'
import { Skeleton } from '#shared/ui/states.tsx'
import { DetailItem, PartMissing } from './detail-item.tsx'
import { InlineEdit } from './inline-edit.tsx'

const NOME_MAXIMO = 120

/** Saves a field of the contato. The server decides who may do that. The list shows it before its event arrives. */
function useChangeContato(contatoId: string): (change: ContatoChange) => Promise<void> {
  const client = useQueryClient()
  const { contaId } = useUsuario()
  const { mutateAsync } = useSaveContato(contatoId)
  return async (change) => {
    const contato = await mutateAsync(change)
    const event = { evento: 'contatoMudou', dados: { userId: contaId, contato } } as const
    changeCache(() => changeKnown(client, (known) => applyToConversas(known, event, contaId)))
  }
}

interface NameProps extends Pick<Conversa, 'cliente'> {
  readonly contatoId: string
}

function Name({ cliente, contatoId }: NameProps) {
  const change = useChangeContato(contatoId)
  return (
    <InlineEdit
      label="Nome"
      editLabel="Mudar o nome"
      value={cliente.nome === cliente.telefone ? '' : cliente.nome}
      maxLength={NOME_MAXIMO}
      onSave={(nome) => change({ nome })}
    >
      <h3 className="text-sm text-muted">Nome</h3>
      <p className="font-semibold break-words">{cliente.nome}</p>
    </InlineEdit>
  )
}

function Observacao({ contatoId }: Pick<NameProps, 'contatoId'>) {
  const { data, error, refetch } = useContato(contatoId)
  const change = useChangeContato(contatoId)
  if (data === undefined && error === null) {
    return (
      <div role="status" aria-label="Carregando a observação">
        <Skeleton className="h-10 w-full" />
      </div>
    )
  }
  if (data === undefined) {
    return <PartMissing onRetry={refetch}>A observação não chegou.</PartMissing>
  }
  const { observacao } = data
  return (
    <section aria-labelledby="observacao-do-cliente">
      <h3 id="observacao-do-cliente" className="text-sm text-muted">
        Observação
      </h3>
      <InlineEdit
        label="Observação"
        editLabel={observacao === '' ? 'Escrever a observação' : 'Mudar a observação'}
        value={observacao}
        maxLength={OBSERVACAO_MAXIMA}
        multiline
        onSave={(fresh) => change({ observacao: fresh })}
      >
        {observacao === '' ? (
          <p className="text-sm text-muted">Nenhuma</p>
        ) : (
          <p className="rounded-lg bg-warn-soft px-3 py-2 text-sm font-semibold break-words whitespace-pre-wrap text-warn-ink">
            {observacao}
          </p>
        )}
      </InlineEdit>
    </section>
  )
}

/** Name, phone, protocolo and the observação, which the person must read first. */
export function CustomerSection({ conversa }: { readonly conversa: Conversa }) {
  const { contatoId, cliente, protocolo, linha } = conversa
  const phone = formatPhone(cliente.telefone)
  const copyPhone = <CopyIconButton text={phone} label="Copiar o telefone" done="Telefone copiado." />
  return (
    <>
      {contatoId !== undefined && <Name {...{ cliente, contatoId }} />}
      <dl className="grid gap-3">
        {cliente.nomeInformado === true && <DetailItem nome="Nome">Informado pelo visitante</DetailItem>}
        {linha !== undefined && !hasNumber(linha.conector) && <DetailItem nome="Onde está">No chat do site</DetailItem>}
        <DetailItem nome="Telefone" action={phone !== '' && copyPhone}>
          {phone || 'Não informado'}
        </DetailItem>
        {cliente.nomeUsuario !== undefined && <DetailItem nome="Nome de usuário">@{cliente.nomeUsuario}</DetailItem>}
        <DetailItem
          nome="Protocolo"
          action={<CopyIconButton text={protocolo} label="Copiar o protocolo" done="Protocolo copiado." />}
        >
          <span className="tabular-nums">{protocolo}</span>
        </DetailItem>
      </dl>
      {contatoId !== undefined && <Observacao contatoId={contatoId} />}
    </>
  )
}
