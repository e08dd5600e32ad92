import type { SistemaAdmin } from '@balcao/contract/entities/sistema-admin'
import { fazerCopiaRoute } from '@balcao/contract/routes/admin'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { formatDateTime, formatNumber } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import { Card } from '#shared/ui/card.tsx'
import { Chip } from '#shared/ui/chip.tsx'
import { notifyError } from '#features/admin/usuarios/usuario-actions.ts'
import { formatBytes, Item, ItemList } from './sistema-cards.tsx'

/**
 * Age in seconds from which a copy counts as old: a week without a schedule, two hours after the due time with one.
 */
const OLD_S = 7 * 86_400
const LATE_S = 2 * 3_600

type Backups = NonNullable<SistemaAdmin['copias']>
type Copy = NonNullable<SistemaAdmin['ultimaCopia']>

export function BackupCard({ sistema: { ultimaCopia, copias, em } }: { sistema: SistemaAdmin }) {
  const idadeS = ultimaCopia === null ? null : (Date.parse(em) - Date.parse(ultimaCopia.em)) / 1000
  const old = idadeS === null || idadeS > (copias === null ? OLD_S : copias.horas * 3_600 + LATE_S)
  return (
    <Card
      heading="Cópia de segurança"
      actions={
        <Chip tone={old ? 'amarelo' : 'verde'}>{ultimaCopia === null ? 'Nenhuma' : old ? 'Antiga' : 'Em dia'}</Chip>
      }
    >
      {(ultimaCopia !== null || copias !== null) && (
        <ItemList>
          {ultimaCopia !== null && <LastCopy copia={ultimaCopia} />}
          {copias !== null && <Schedule copias={copias} />}
        </ItemList>
      )}
      {copias === null ? <NoSchedule copia={ultimaCopia} old={old} /> : <CopyNow copias={copias} />}
    </Card>
  )
}

function LastCopy({ copia: { em, bytes, linhas, tabelas, cifrada } }: { copia: Copy }) {
  return (
    <>
      <Item name="Última">
        <time dateTime={em}>{formatDateTime(em)}</time>
      </Item>
      <Item name="Tamanho">{formatBytes(bytes)}</Item>
      <Item name="Conteúdo">
        {formatNumber(linhas)} linhas de {formatNumber(tabelas)} tabelas
      </Item>
      <Item name="Cifrada">{cifrada ? 'Sim' : 'Não'}</Item>
    </>
  )
}

function Schedule({ copias: { horas, manter, proxima, falhouEm } }: { copias: Backups }) {
  return (
    <>
      <Item name="Cópias automáticas">
        {horas === 24 ? 'Uma por dia' : `A cada ${formatNumber(horas)} h`}; ficam {formatNumber(manter)}, por até 30
        dias
      </Item>
      <Item name="Próxima">
        <time dateTime={proxima}>{formatDateTime(proxima)}</time>
      </Item>
      {falhouEm !== null && (
        <Item name="Última tentativa">
          <span className="text-danger-ink">
            Falhou em <time dateTime={falhouEm}>{formatDateTime(falhouEm)}</time>
          </span>
        </Item>
      )}
    </>
  )
}

function CopyNow({ copias: { cifrada, emAndamento, falhouEm } }: { copias: Backups }) {
  const cache = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(fazerCopiaRoute, {}),
    onSuccess: () => notify.info('A cópia começou. Ela aparece aqui quando terminar.'),
    onError: (error) => notifyError('Erro ao fazer a cópia', error),
    onSettled: () => cache.invalidateQueries({ queryKey: ['admin', 'sistema'] }),
  })
  const busy = isPending || emAndamento
  return (
    <>
      {falhouEm !== null && (
        <p className="mt-3 text-sm text-muted">O servidor tenta de novo em uma hora. O motivo está no registro dele.</p>
      )}
      {!cifrada && (
        <p className="mt-3 text-sm text-muted">
          As cópias ficam sem cifra. Para cifrar, defina{' '}
          <code className="font-semibold whitespace-nowrap">BALCAO_BACKUP_CHAVE</code> no servidor.
        </p>
      )}
      <Button size="touch" className="mt-3" busy={busy} onClick={() => mutate()}>
        {busy ? 'Fazendo a cópia…' : 'Fazer cópia agora'}
      </Button>
    </>
  )
}

function NoSchedule({ copia, old }: { copia: SistemaAdmin['ultimaCopia']; old: boolean }) {
  return (
    <div className={`grid gap-2 text-sm text-muted ${copia === null ? '' : 'mt-3'}`}>
      {old && (
        <p>
          {copia === null ? 'Os dados deste servidor ainda não foram copiados.' : 'Faz mais de uma semana.'} No
          servidor, rode <code className="font-semibold whitespace-nowrap">npm run db:export</code> e guarde o arquivo
          em outro lugar.
        </p>
      )}
      <p>
        Para cópias automáticas, com os arquivos, defina{' '}
        <code className="font-semibold whitespace-nowrap">COPIA_DIR</code> no servidor.
      </p>
    </div>
  )
}
