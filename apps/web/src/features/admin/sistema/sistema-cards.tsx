import type { SistemaAdmin } from '@balcao/contract/entities/sistema-admin'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatNumber } from '#shared/format.ts'
import { Card } from '#shared/ui/card.tsx'
import { Chip, type ChipTone } from '#shared/ui/chip.tsx'

const STUCK_QUEUE_S = 300

export function Item({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-4 py-2">
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 font-semibold break-words tabular-nums">{children}</dd>
    </div>
  )
}

export function ItemList({ children }: { children: ReactNode }) {
  return <dl className="divide-y divide-line">{children}</dl>
}

/** Keys as stored in the table `bots`. Unknown values are shown unchanged. */
const BOT_STATUS: Readonly<Record<string, { readonly rotulo: string; readonly tom: ChipTone }>> = {
  PARADO: { rotulo: 'Parados', tom: 'cinza' },
  INICIALIZANDO: { rotulo: 'Iniciando', tom: 'amarelo' },
  AGUARDANDO_QR: { rotulo: 'Aguardando QR Code', tom: 'amarelo' },
  CONECTADO: { rotulo: 'Conectados', tom: 'verde' },
  autenticado: { rotulo: 'Autenticados', tom: 'verde' },
  ERRO: { rotulo: 'Com erro', tom: 'vermelho' },
  erro_auth: { rotulo: 'Com erro de autenticação', tom: 'vermelho' },
}

export function BotsCard({ sistema: { bots, contas } }: { sistema: SistemaAdmin }) {
  return (
    <Card heading="Contas e bots">
      <ItemList>
        <Item name="Contas">{formatNumber(contas.vivas)}</Item>
        <Item name="Excluídas, ainda restauráveis">
          {contas.excluidas === 0 ? (
            '0'
          ) : (
            <Link to="/admin" search={{ aba: 'usuarios', status: 'excluido' }} className="text-brand-ink underline">
              {formatNumber(contas.excluidas)}
            </Link>
          )}
        </Item>
        <Item name="Bots">
          {bots.porStatus.length === 0 ? (
            'Nenhum foi iniciado ainda'
          ) : (
            <span className="flex flex-wrap justify-end gap-1.5">
              {bots.porStatus.map(({ status, quantos }) => (
                <Chip key={status} tone={BOT_STATUS[status]?.tom ?? 'cinza'} dot>
                  {BOT_STATUS[status]?.rotulo ?? status}: {formatNumber(quantos)}
                </Chip>
              ))}
            </span>
          )}
        </Item>
        {bots.semDono > 0 && (
          <Item name="À espera de um processo">
            <span className="text-danger-ink">{formatNumber(bots.semDono)}</span>
          </Item>
        )}
      </ItemList>
    </Card>
  )
}

export function QueueCard({ sistema: { fila } }: { sistema: SistemaAdmin }) {
  const stopped = fila.maisAntigaS !== null && fila.maisAntigaS > STUCK_QUEUE_S
  return (
    <Card heading="Fila de envio">
      <ItemList>
        <Item name="Mensagens por sair">{formatNumber(fila.mensagens)}</Item>
        <Item name="A mais antiga espera há">
          {fila.maisAntigaS === null ? (
            '—'
          ) : (
            <span className={stopped ? 'text-danger-ink' : ''}>{formatLongDuration(fila.maisAntigaS)}</span>
          )}
        </Item>
        <Item name="Perguntas à IA em andamento">{formatNumber(fila.perguntasIa)}</Item>
      </ItemList>
      {stopped && (
        <p className="mt-3 text-sm text-muted">
          Mensagens de bots parados ou sem conexão esperam aqui até que eles voltem.
        </p>
      )}
    </Card>
  )
}

export function EmailsCard({ emails }: { emails: SistemaAdmin['emails'] }) {
  return (
    <Card heading="E-mails">
      <ItemList>
        <Item name="Servidor de e-mail">{emails.servidor ? 'Configurado' : 'Não configurado'}</Item>
        <Item name="Esperando">{formatNumber(emails.esperando)}</Item>
        <Item name="Com falha no envio">
          <span className={emails.falharam > 0 ? 'text-danger-ink' : ''}>{formatNumber(emails.falharam)}</span>
        </Item>
      </ItemList>
      <Link to="/admin" search={{ aba: 'configuracoes' }} className="btn btn-outline mt-3 min-h-11">
        Ver e-mails
      </Link>
    </Card>
  )
}

export function StorageCard({ sistema: { banco, arquivos } }: { sistema: SistemaAdmin }) {
  return (
    <Card heading="Dados">
      <ItemList>
        <Item name="Banco de dados">{formatBytes(banco.bytes)}</Item>
        <Item name="Conexões ao banco">{formatNumber(banco.conexoes)}</Item>
        <Item name="Fotos e outros arquivos">
          {formatNumber(arquivos.quantos)} ({formatBytes(arquivos.bytes)})
        </Item>
      </ItemList>
    </Card>
  )
}

export function VersionsCard({ versoes }: { versoes: SistemaAdmin['versoes'] }) {
  return (
    <Card heading="Versões">
      <ItemList>
        <Item name="Balcão">{versoes.produto}</Item>
        <Item name="Node.js">{versoes.node}</Item>
        <Item name="PostgreSQL">{versoes.postgres}</Item>
        <Item name="Estrutura do banco">{versoes.migracao.replace(/\.sql$/, '')}</Item>
        {versoes.conectores.map(({ nome, versao }) => (
          <Item key={nome} name={`Conector ${nome}`}>
            {versao}
          </Item>
        ))}
      </ItemList>
    </Card>
  )
}

const oneDecimal = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1 })
const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const

export function formatBytes(bytes: number): string {
  const level = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)))
  return `${oneDecimal.format(bytes / 1024 ** level)} ${UNITS[level] ?? ''}`
}

/** The two largest units of a duration: `3 d 4 h`, `12 min`, `8 s`. */
export function formatLongDuration(seconds: number): string {
  const integers = Math.max(0, Math.round(seconds))
  const parts: readonly (readonly [number, string])[] = [
    [Math.floor(integers / 86_400), 'd'],
    [Math.floor(integers / 3_600) % 24, 'h'],
    [Math.floor(integers / 60) % 60, 'min'],
    [integers % 60, 's'],
  ]
  const first = parts.findIndex(([amount]) => amount > 0)
  if (first === -1) return '0 s'
  return parts
    .slice(first, first + 2)
    .filter(([amount]) => amount > 0)
    .map(([amount, unit]) => `${amount} ${unit}`)
    .join(' ')
}
