import type { MetodoLogin, Sessao } from '@balcao/contract/entities/identidade'
import { encerrarOutrasSessoesRoute, encerrarSessaoRoute } from '@balcao/contract/routes/sessoes'
import { useState } from 'react'
import { call } from '#shared/api-client.ts'
import { formatDateTime } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import { Card } from '#shared/ui/card.tsx'
import { Chip } from '#shared/ui/chip.tsx'
import { ConfirmDialog } from '#shared/ui/confirm-dialog.tsx'
import { QueryState, Skeleton } from '#shared/ui/states.tsx'
import { useSegurancaAct, useSessions } from './seguranca-queries.ts'

const ENTERED_WITH: Readonly<Record<MetodoLogin, string>> = {
  senha: 'senha',
  totp: 'senha e código',
  passkey: 'chave de acesso',
  recuperacao: 'código de recuperação',
}

export function SessionsCard() {
  const query = useSessions()
  const [asking, setAsking] = useState(false)
  const end = useSegurancaAct((id: string) => call(encerrarSessaoRoute, { params: { id } }), 'Sessão encerrada.')
  const endOthers = useSegurancaAct(() => call(encerrarOutrasSessoesRoute, {}), 'As outras sessões foram encerradas.')
  return (
    <Card heading="Onde você está conectado">
      <QueryState query={query} skeleton={<Skeleton className="h-32 w-full" />}>
        {(sessoes) => (
          <>
            <ul aria-label="Sessões" className="divide-y divide-line border-y border-line">
              {sessoes.map((sessao) => (
                <SessaoRow
                  key={sessao.id}
                  sessao={sessao}
                  busy={end.isPending && end.variables === sessao.id}
                  onEnd={() => end.mutate(sessao.id)}
                />
              ))}
            </ul>
            {sessoes.length > 1 ? (
              <Button className="mt-4" size="touch" busy={endOthers.isPending} onClick={() => setAsking(true)}>
                Encerrar os outros
              </Button>
            ) : (
              <p className="mt-3 text-sm text-muted">Nenhum outro aparelho está conectado.</p>
            )}
          </>
        )}
      </QueryState>
      <ConfirmDialog
        open={asking}
        title="Encerrar os outros aparelhos?"
        confirmLabel="Encerrar os outros"
        onConfirm={() => endOthers.mutate(undefined)}
        onClose={() => setAsking(false)}
      >
        Eles saem do painel na hora e precisam entrar de novo. Este aparelho continua.
      </ConfirmDialog>
    </Card>
  )
}

function SessaoRow({ sessao, busy, onEnd }: { sessao: Sessao; busy: boolean; onEnd: () => void }) {
  const { atual, aparelho, ip, ultimoUso, criadaEm, metodo } = sessao
  const name = aparelho === '' ? 'Aparelho desconhecido' : aparelho
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <div className="min-w-52 flex-1">
        <p className="flex flex-wrap items-center gap-2 font-semibold">
          {name}
          {atual && <Chip tone="verde">Este aparelho</Chip>}
        </p>
        <p className="text-sm text-muted">
          Último uso em <time dateTime={ultimoUso}>{formatDateTime(ultimoUso)}</time>
        </p>
        <p className="text-sm break-all text-muted">
          Entrou em <time dateTime={criadaEm}>{formatDateTime(criadaEm)}</time> com {ENTERED_WITH[metodo]}, do endereço{' '}
          {ip}
        </p>
      </div>
      {!atual && (
        <Button size="touch" busy={busy} aria-label={`Encerrar ${name}`} onClick={onEnd}>
          Encerrar
        </Button>
      )}
    </li>
  )
}
