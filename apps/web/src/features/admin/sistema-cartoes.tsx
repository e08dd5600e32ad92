import type { No, SistemaAdmin } from '@balcao/contract/entities/sistema-admin'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatDateTime, formatNumber, formatPercent } from '#shared/format.ts'
import { Card } from '#shared/ui/card.tsx'
import { Chip, type Tom } from '#shared/ui/chip.tsx'
import { formatBytes, formatEspera } from './medidas.ts'

const COPIA_VELHA_S = 7 * 86_400
const FILA_PARADA_S = 300

interface ItemProps {
  readonly nome: string
  readonly children: ReactNode
}

function Item({ nome, children }: ItemProps) {
  return (
    <div className="flex flex-wrap justify-between gap-x-4 py-2">
      <dt className="text-muted">{nome}</dt>
      <dd className="min-w-0 font-semibold break-words tabular-nums">{children}</dd>
    </div>
  )
}

function Lista({ children }: { children: ReactNode }) {
  return <dl className="divide-y divide-line">{children}</dl>
}

/** Keys as stored in the table `bots`. Unknown values are shown unchanged. */
const STATUS: Readonly<Record<string, { readonly rotulo: string; readonly tom: Tom }>> = {
  PARADO: { rotulo: 'Parados', tom: 'cinza' },
  INICIALIZANDO: { rotulo: 'Iniciando', tom: 'amarelo' },
  AGUARDANDO_QR: { rotulo: 'Aguardando QR Code', tom: 'amarelo' },
  CONECTADO: { rotulo: 'Conectados', tom: 'verde' },
  autenticado: { rotulo: 'Autenticados', tom: 'verde' },
  ERRO: { rotulo: 'Com erro', tom: 'vermelho' },
  erro_auth: { rotulo: 'Com erro de autenticação', tom: 'vermelho' },
}

export function Bots({ sistema: { bots, contas } }: { sistema: SistemaAdmin }) {
  return (
    <Card titulo="Contas e bots">
      <Lista>
        <Item nome="Contas">{formatNumber(contas.vivas)}</Item>
        <Item nome="Excluídas, ainda restauráveis">
          {contas.excluidas === 0 ? (
            '0'
          ) : (
            <Link to="/admin" search={{ aba: 'usuarios', status: 'excluido' }} className="text-brand-ink underline">
              {formatNumber(contas.excluidas)}
            </Link>
          )}
        </Item>
        <Item nome="Bots">
          {bots.porStatus.length === 0 ? (
            'Nenhum foi iniciado ainda'
          ) : (
            <span className="flex flex-wrap justify-end gap-1.5">
              {bots.porStatus.map(({ status, quantos }) => (
                <Chip key={status} tom={STATUS[status]?.tom ?? 'cinza'} ponto>
                  {STATUS[status]?.rotulo ?? status}: {formatNumber(quantos)}
                </Chip>
              ))}
            </span>
          )}
        </Item>
        {bots.semDono > 0 && (
          <Item nome="À espera de um processo">
            <span className="text-danger-ink">{formatNumber(bots.semDono)}</span>
          </Item>
        )}
      </Lista>
    </Card>
  )
}

export function Fila({ sistema: { fila } }: { sistema: SistemaAdmin }) {
  const parada = fila.maisAntigaS !== null && fila.maisAntigaS > FILA_PARADA_S
  return (
    <Card titulo="Fila de envio">
      <Lista>
        <Item nome="Mensagens por sair">{formatNumber(fila.mensagens)}</Item>
        <Item nome="A mais antiga espera há">
          {fila.maisAntigaS === null ? (
            '—'
          ) : (
            <span className={parada ? 'text-danger-ink' : ''}>{formatEspera(fila.maisAntigaS)}</span>
          )}
        </Item>
        <Item nome="Perguntas à IA em andamento">{formatNumber(fila.perguntasIa)}</Item>
      </Lista>
      {parada && (
        <p className="mt-3 text-sm text-muted">
          Mensagens de bots parados ou sem conexão esperam aqui até que eles voltem.
        </p>
      )}
    </Card>
  )
}

export function Copia({ copia, agora }: { copia: SistemaAdmin['ultimaCopia']; agora: string }) {
  const idadeS = copia === null ? null : (Date.parse(agora) - Date.parse(copia.em)) / 1000
  const velha = idadeS === null || idadeS > COPIA_VELHA_S
  return (
    <Card
      titulo="Cópia de segurança"
      acoes={<Chip tom={velha ? 'amarelo' : 'verde'}>{copia === null ? 'Nenhuma' : velha ? 'Antiga' : 'Em dia'}</Chip>}
    >
      {copia !== null && (
        <Lista>
          <Item nome="Última">
            <time dateTime={copia.em}>{formatDateTime(copia.em)}</time>
          </Item>
          <Item nome="Tamanho">{formatBytes(copia.bytes)}</Item>
          <Item nome="Conteúdo">
            {formatNumber(copia.linhas)} linhas de {formatNumber(copia.tabelas)} tabelas
          </Item>
          <Item nome="Cifrada">{copia.cifrada ? 'Sim' : 'Não'}</Item>
        </Lista>
      )}
      {velha && (
        <p className={`text-sm text-muted ${copia === null ? '' : 'mt-3'}`}>
          {copia === null ? 'Os dados deste servidor ainda não foram copiados.' : 'Faz mais de uma semana.'} No
          servidor, rode <code className="font-semibold whitespace-nowrap">npm run db:export</code> e guarde o arquivo
          em outro lugar.
        </p>
      )}
    </Card>
  )
}

export function Emails({ emails }: { emails: SistemaAdmin['emails'] }) {
  return (
    <Card titulo="E-mails">
      <Lista>
        <Item nome="Servidor de e-mail">{emails.servidor ? 'Configurado' : 'Não configurado'}</Item>
        <Item nome="Esperando">{formatNumber(emails.esperando)}</Item>
        <Item nome="Com falha no envio">
          <span className={emails.falharam > 0 ? 'text-danger-ink' : ''}>{formatNumber(emails.falharam)}</span>
        </Item>
      </Lista>
      <Link to="/admin" search={{ aba: 'configuracoes' }} className="btn btn-outline mt-3 min-h-11">
        Ver e-mails
      </Link>
    </Card>
  )
}

export function Dados({ sistema: { banco, arquivos } }: { sistema: SistemaAdmin }) {
  return (
    <Card titulo="Dados">
      <Lista>
        <Item nome="Banco de dados">{formatBytes(banco.bytes)}</Item>
        <Item nome="Conexões ao banco">{formatNumber(banco.conexoes)}</Item>
        <Item nome="Fotos e outros arquivos">
          {formatNumber(arquivos.quantos)} ({formatBytes(arquivos.bytes)})
        </Item>
      </Lista>
    </Card>
  )
}

export function Versoes({ versoes }: { versoes: SistemaAdmin['versoes'] }) {
  return (
    <Card titulo="Versões">
      <Lista>
        <Item nome="Balcão">{versoes.produto}</Item>
        <Item nome="Node.js">{versoes.node}</Item>
        <Item nome="PostgreSQL">{versoes.postgres}</Item>
        <Item nome="Estrutura do banco">{versoes.migracao.replace(/\.sql$/, '')}</Item>
        {versoes.conectores.map(({ nome, versao }) => (
          <Item key={nome} nome={`Conector ${nome}`}>
            {versao}
          </Item>
        ))}
      </Lista>
    </Card>
  )
}

export function Nos({ nos, agora }: { nos: readonly No[]; agora: string }) {
  return (
    <Card titulo={`Processos no ar (${formatNumber(nos.length)})`}>
      <ul className="divide-y divide-line">
        {nos.map(({ id, nome, este, versao, iniciadoEm, memoriaBytes, cpuPercentual }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5">
            <span className="flex min-w-0 flex-wrap items-center gap-2 font-semibold">
              <span className="break-all">{nome}</span>
              {este && <Chip tom="azul">Respondeu agora</Chip>}
            </span>
            <span className="text-sm text-muted tabular-nums">
              {versao} · no ar há {formatEspera((Date.parse(agora) - Date.parse(iniciadoEm)) / 1000)} ·{' '}
              {formatBytes(memoriaBytes)} · processador {formatPercent(cpuPercentual)}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
