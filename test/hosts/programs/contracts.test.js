import { databaseTargets, storageTargets } from '@probity/core/testing';
import { createMemoryGovernanceStorage } from '@probity/governance';
import { createSqlGovernanceStorage, governanceMigrations } from '@probity/governance/sql';
import { describeGovernanceStorage } from '@probity/governance/testing';
import { createMemoryWebhookStorage } from '@probity/webhooks';
import { createSqlWebhookStorage, webhookMigrations } from '@probity/webhooks/sql';
import { describeWebhookStorage } from '@probity/webhooks/testing';
import pg from 'pg';

const server = process.env.TEST_POSTGRES_URL;
let count = 0;
let template;

async function query(text) {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(text).finally(() => client.end());
}

function urlOf(name) {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

async function createTemplate(prepare) {
  const name = `contracts_${process.pid}`;
  await query(`create database ${name}`);
  await prepare(urlOf(name));
  return name;
}

async function createPostgres(prepare) {
  template ??= createTemplate(prepare);
  count += 1;
  const name = `${await template}_${count}`;
  await query(`create database ${name} template ${await template}`);
  return { url: urlOf(name), drop: () => query(`drop database ${name} with (force)`) };
}

const targets = databaseTargets({
  migrations: [...governanceMigrations, ...webhookMigrations],
  createPostgres,
  sqliteFolder: process.env.HOSTS_FOLDER,
});

const governanceOf = ({ kind, database }) =>
  kind === 'memory'
    ? createMemoryGovernanceStorage(database)
    : createSqlGovernanceStorage(database);
const webhooksOf = ({ kind, database }) =>
  kind === 'memory' ? createMemoryWebhookStorage(database) : createSqlWebhookStorage(database);

for (const target of storageTargets(targets, governanceOf)) describeGovernanceStorage(target);
for (const target of storageTargets(targets, webhooksOf)) describeWebhookStorage(target);
