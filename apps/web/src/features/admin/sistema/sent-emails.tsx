import type { SentEmail } from '@balcao/contract/entities/admin'
import { ChevronsUpDown, Mail, RefreshCcw } from 'lucide-react'
import { formatDateTime } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import { Card } from '#shared/ui/card.tsx'
import { Chip, type ChipTone } from '#shared/ui/chip.tsx'
import { EmptyState, ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { useEmails } from '#features/admin/admin-queries.ts'

function emailStateOf({ enviadoEm, erro }: SentEmail): { readonly rotulo: string; readonly tom: ChipTone } {
  if (enviadoEm !== undefined) return { rotulo: 'Enviado', tom: 'verde' }
  return erro === undefined ? { rotulo: 'Pendente', tom: 'amarelo' } : { rotulo: 'Falhou', tom: 'vermelho' }
}

/** Lists every mail, also those that no mail server carried: without SMTP the administrator reads them here. */
export function SentEmails() {
  const { data, isPending, error, refetch, isRefetching, hasNextPage, fetchNextPage, isFetchingNextPage } = useEmails()
  const emails = data?.pages.flatMap((page) => page.emails) ?? []
  return (
    <Card
      heading="E-mails"
      actions={
        <Button size="sm" className="min-h-10" disabled={isRefetching} onClick={() => void refetch()}>
          <RefreshCcw size={16} aria-hidden className={isRefetching ? 'animate-spin' : ''} /> Atualizar
        </Button>
      }
    >
      <p className="-mt-2 mb-3 text-sm text-muted">
        Sem um servidor de e-mail configurado (SMTP_URL), as mensagens ficam pendentes e podem ser lidas aqui.
      </p>
      {error !== null && data === undefined && <ErrorState message={error.message} onRetry={() => void refetch()} />}
      {data !== undefined && emails.length === 0 && (
        <EmptyState title="Nenhum e-mail ainda" icon={<Mail size={22} aria-hidden />}>
          Aprovações, redefinições de senha e avisos de limite aparecem aqui.
        </EmptyState>
      )}
      <ul className="divide-y divide-line border-t border-line" aria-busy={isPending}>
        {isPending &&
          [1, 2, 3, 4].map((line) => (
            <li key={line} className="py-3">
              <Skeleton className="h-11 w-full" />
            </li>
          ))}
        {emails.map((email) => (
          <li key={email.id}>
            <EmailRow email={email} />
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button className="mx-auto mt-4 flex min-h-11" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Carregar mais
        </Button>
      )}
    </Card>
  )
}

function EmailRow({ email }: { email: SentEmail }) {
  const { rotulo, tom } = emailStateOf(email)
  return (
    <details className="group">
      <summary className="flex items-center gap-3 py-2.5">
        <span className="min-w-0 flex-1">
          <span className="block font-semibold break-words">{email.assunto}</span>
          <span className="flex flex-wrap gap-x-2 text-sm text-muted">
            <span className="max-w-full truncate">{email.para}</span>
            <time dateTime={email.criadoEm} className="tabular-nums">
              {formatDateTime(email.criadoEm)}
            </time>
          </span>
        </span>
        <Chip tone={tom}>{rotulo}</Chip>
        <ChevronsUpDown size={18} aria-hidden className="flex-none text-muted" />
      </summary>
      {email.erro !== undefined && <p className="pb-2 text-sm font-semibold text-danger-ink">{email.erro}</p>}
      <p className="mb-3 rounded-lg bg-sunken p-3 text-sm break-words whitespace-pre-wrap">{email.texto}</p>
    </details>
  )
}
