import { randomBytes } from 'node:crypto'
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { SystemUser } from '#db/embedded/place.ts'
import type { Place } from './network.ts'

const DEPLOY = join(import.meta.dirname, '..', '..', '..', '..', '..', 'deploy')
const EXAMPLES = join(DEPLOY, 'patroni')
/** Values in the examples, to be replaced. */
const ADDRESSES = /10\.0\.0\.1(\d)/g
const PROGRAMS = '/usr/lib/postgresql/15/bin'
const FOLDERS = /(?<=[=: ])\/(var|copias)\//g
const BALANCER = '127.0.0.1:5000'

/** The script that creates roles and database. */
export const CREATE_DATABASE = join(DEPLOY, 'banco.sh')

export interface SetupOptions {
  readonly folder: string
  readonly places: readonly Place[]
  /** Folder of the programs of PostgreSQL. */
  readonly programs: string
  readonly user: SystemUser
  readonly balancerPort: number
}

export interface MachineFiles {
  /** Stands for `/` of the machine. */
  readonly root: string
  readonly pgdata: string
  readonly socket: string
  readonly patroni: string
  readonly etcd: Readonly<Record<string, string>>
  /** Environment of Patroni, and so of PostgreSQL and of pgBackRest. */
  readonly env: Readonly<Record<string, string>>
}

export interface Setup {
  readonly password: string
  readonly machines: readonly MachineFiles[]
  readonly haproxy: string
}

/**
 * Writes the files of deploy/patroni for the places of this test. Only addresses, folders, passwords and the port of the
 * balancer differ from those that docs/operations/patroni.md describes.
 */
export function writeSetup(options: SetupOptions): Setup {
  const { folder, places } = options
  const password = randomBytes(16).toString('hex')
  const haproxy = join(folder, 'haproxy.cfg')
  writeFileSync(haproxy, fill('haproxy.cfg', options, { root: folder, password }))
  own(folder, options)
  const machines = places.map((place) => writeMachine(place, options, password))
  return { password, machines, haproxy }
}

function writeMachine(place: Place, options: SetupOptions, password: string): MachineFiles {
  const root = join(options.folder, place.name)
  const read = (name: string): string => fill(name, options, { root, password, place })
  for (const path of ['var/lib/postgresql/15', 'var/lib/etcd', 'var/log/postgresql', 'var/run/postgresql', '../copias'])
    own(join(root, path), options)
  const [patroni, pgbackrest] = [join(root, 'config.yml'), join(root, 'pgbackrest.conf')]
  writeFileSync(patroni, read('patroni.yml'))
  writeFileSync(pgbackrest, read('pgbackrest.conf'))
  return {
    ...{ root, patroni, pgdata: join(root, 'var/lib/postgresql/15/balcao'), socket: join(root, 'var/run/postgresql') },
    etcd: variablesOf(read('etcd.env.exemplo')),
    env: { ...variablesOf(read('patroni.env.exemplo')), PGBACKREST_CONFIG: pgbackrest },
  }
}

interface Filled {
  readonly root: string
  readonly password: string
  readonly place?: Place
}

function fill(name: string, options: SetupOptions, { root, password, place }: Filled): string {
  const { places, programs, balancerPort, folder } = options
  return readFileSync(join(EXAMPLES, name), 'utf8')
    .replaceAll(ADDRESSES, (_, number: string) => places[Number(number) - 1]?.address ?? '')
    .replaceAll(PROGRAMS, programs)
    .replaceAll(FOLDERS, (_, top: string) => `${top === 'copias' ? folder : root}/${top}/`)
    .replaceAll(BALANCER, `127.0.0.1:${balancerPort}`)
    .replaceAll('<nome>', place?.name ?? '')
    .replaceAll('<endereço>', place?.address ?? '')
    .replaceAll('<senha>', password)
}

const variablesOf = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/^([A-Z0-9_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]))

/** Creates the folder for the user of the database, with its parents. */
function own(path: string, { user, folder }: SetupOptions): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  for (let one = path; one.length >= folder.length; one = dirname(one)) chownSync(one, user.uid, user.gid)
}
