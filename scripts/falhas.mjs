// The fault tests with real processes at full length: `npm run falhas -- [rounds] [paths]`. A path may be the name of a
// test or a folder in PATHS[0], such as `patroni`.
import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { binOf, fail, ROOT, runNode, say } from './toolchain.mjs'

const PATHS = [
  'apps/server/test/fleet',
  'apps/server/test/navegador/stopped.test.ts',
  'apps/server/test/oficial/fleet.test.ts',
  'apps/server/test/whatsapp/fleet.test.ts',
  'apps/server/test/whatsapp/promotion.test.ts',
]

function pathOf(name) {
  const path = [name, join(PATHS[0], name), join(PATHS[0], `${name}.test.ts`)].find((one) =>
    existsSync(join(ROOT, one)),
  )
  return path ?? fail(`não há ensaio com o nome ${name} em ${PATHS[0]}`)
}

/** Each round has a new seed, which repeats its moments and nodes as FALHAS_SEMENTE. Resolves with the exit code. */
export async function falhas(args) {
  const rounds = Number(args.find((one) => /^\d+$/.test(one)) ?? 1)
  const chosen = args.filter((one) => !/^\d+$/.test(one))
  const paths = chosen.length > 0 ? chosen.map(pathOf) : PATHS.filter((path) => existsSync(join(ROOT, path)))
  process.env.FALHAS = 'todas'
  const given = process.env.FALHAS_SEMENTE
  for (let round = 1; round <= rounds; round += 1) {
    process.env.FALHAS_SEMENTE = given ?? String(randomInt(2 ** 31))
    say(`falhas: rodada ${round} de ${rounds}, FALHAS_SEMENTE=${process.env.FALHAS_SEMENTE}`)
    const code = await runNode([binOf('vitest'), 'run', '--project', 'server', ...paths])
    if (code !== 0) return code
  }
  return 0
}
