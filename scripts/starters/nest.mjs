import 'reflect-metadata';
import { toNodeListener } from '@clinical-records/http-adapter';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { handler } from './records.mjs';

class AppModule {}
Module({})(AppModule);

const app = await NestFactory.create(AppModule, { bodyParser: false, logger: false });
app.use('/fhir', toNodeListener(handler));
export const listen = (port) => app.listen(port, '127.0.0.1');
